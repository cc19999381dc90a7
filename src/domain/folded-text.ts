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

/** Letters that were folded before: nearly all texts are written with few of them. */
const maxKnown = 4096

function foldingBy(fold: (letter: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    let folded = ''
    for (const letter of text) {
      let form = known.get(letter)
      if (form === undefined) {
        form = fold(letter)
        if (known.size < maxKnown) known.set(letter, form)
      }
      folded += form
    }
    return folded
  }
}

function plainForm(letter: string): string {
  const lower = letter
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
  return [...lower]
    .map((part) => plainLetters[part] ?? part)
    .join('')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

const spelledForm = (letter: string): string => spelledOut[letter.toLowerCase()] ?? plainForm(letter)

const plain = foldingBy(plainForm)

/** Letters and digits only, in lower case, without accents: `O’Brien-Łuć` is `obrienluc`. */
export const folded = (text: string): string =>
  isAscii(text) ? text.toLowerCase().replace(/[^a-z0-9]+/g, '') : plain(text)
const spelled = foldingBy(spelledForm)

export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** Every form in which people write the text, folded: `Müller` is `muller` and `mueller`. */
export function foldings(text: string): readonly string[] {
  const plain = folded(text)
  if (isAscii(text)) return [plain]
  const composed = spelled(text.normalize('NFC'))
  return plain === composed ? [plain] : [plain, composed]
}

/** Scripts without blanks between words: each of their letters is a part of its own. */
const parts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu
const letters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

export function partsOf(token: string): readonly string[] {
  if (isAscii(token)) return token.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return token.match(parts)?.flatMap((part) => part.match(letters) ?? []) ?? []
}

export const tokensOf = (text: string): readonly string[] => text.split(/\s+/).filter((token) => token !== '')

/** The words that somebody asks for, in order: each by the spellings of which any one will do. */
export const queryWords = (text: string): readonly (readonly string[])[] =>
  tokensOf(text)
    .flatMap(partsOf)
    .map((part) => foldings(part).filter((form) => form !== ''))
    .filter((spellings) => spellings.length > 0)

/** The digits of a telephone number, without zeros in front and without the one in brackets. */
export const dialled = (text: string): string => text.replace(/\(0\)/g, '').replace(/\D+/g, '').replace(/^0+/, '')
