/** Text as a search compares it: without case, accents, blanks and punctuation. */

/** Letters that do not decompose into a plain letter and marks. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ı: 'i',
  ə: 'e',
  ς: 'σ',
}

/** How people without the key on their keyboard write a letter. */
const spelledOut: Readonly<Record<string, string>> = {ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa'}

const replaced = (text: string, letters: Readonly<Record<string, string>>): string =>
  text.replace(/[^\0-\x7f]/gu, (letter) => letters[letter] ?? letter)

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

const letters = (text: string): string =>
  replaced(
    text
      .normalize('NFKD')
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}+/gu, ''),
    plainLetters,
  ).replace(/[^\p{L}\p{N}]+/gu, '')

/** Letters and digits only, in lower case, without accents: `O’Brien-Łuć` is `obrienluc`. */
export const folded = (text: string): string =>
  isAscii(text) ? text.toLowerCase().replace(/[^a-z0-9]+/g, '') : letters(text)

/** Every form in which people write the text, folded: `Müller` is `muller` and `mueller`. */
export function foldings(text: string): readonly string[] {
  if (isAscii(text)) return [folded(text)]
  const plain = letters(text)
  const spelled = letters(replaced(text.normalize('NFC').toLowerCase(), spelledOut))
  return plain === spelled ? [plain] : [plain, spelled]
}

/** The digits of a phone number, without the zero in brackets that is left out when one dials from abroad. */
export const phoneDigits = (text: string): string => text.replace(/\(0\)/g, '').replace(/\D+/g, '')
