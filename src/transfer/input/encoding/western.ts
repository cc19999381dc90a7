import {windows1252} from './encodings.js'

const unassigned: ReadonlySet<number> = new Set(
  Array.from({length: 32}, (_, at) => 0x80 + at).filter((byte) => !windows1252.has(byte)),
)
const characterOf = (byte: number): string => windows1252.get(byte) ?? String.fromCharCode(byte)

/** What a byte of 0x80 and more is in windows-1252. */
type Kind = 'upper' | 'lower' | 'joint' | 'symbol' | 'rare' | 'none'

/** Apostrophes, dashes, hyphens, ordinals and blanks: they stand between the letters of names, other symbols do not. */
const joints = new Set([...'‘’–—´·ªº\u00a0\u00ad'])

/** Typographers use them, not customers; they are frequent where Shift JIS is read as windows-1252. */
const rare = new Set([...'ƒˆ˜†‡‰'])

/** Words of these alone are German or Nordic; as Cyrillic or Greek they would be no words. */
const nordic: ReadonlySet<number> = new Set(Buffer.from('äöüÄÖÜßåÅæÆøØ', 'latin1'))

const kinds: readonly Kind[] = Array.from({length: 128}, (_, at): Kind => {
  const character = characterOf(0x80 + at)
  if (unassigned.has(0x80 + at)) return 'none'
  if (rare.has(character)) return 'rare'
  if (joints.has(character)) return 'joint'
  if (!/\p{L}/u.test(character)) return 'symbol'
  return /\p{Lu}/u.test(character) ? 'upper' : 'lower'
})

const isLower = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a
const isLetter = (byte: number): boolean => isLower(byte) || (byte >= 0x41 && byte <= 0x5a)

/**
 * Whether bytes that are not UTF-8 look like windows-1252, the encoding of western Windows. A wrong guess turns names
 * into others without a word, so anything that western texts do not do counts against it: bytes without a character,
 * capitals and symbols within words (Mac OS, DOS, central European), words without an ASCII letter (Cyrillic, Greek,
 * Asian), and characters that are whole in UTF-8 (a damaged file, or two in one).
 */
export class WesternText {
  #high = 0
  #strange = 0
  #impossible = false
  #foreignWords = 0
  #mixedWords = 0
  #utf8Characters = 0
  /** Of the word so far. */
  #word = {ascii: 0, high: 0, nordic: 0}
  #previous = 0
  /** What stands right behind a letter; the next byte decides whether it belongs there. */
  #open: Kind | undefined
  #continuation = 0
  #lead = 0

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#utf8(byte)
      if (byte < 0x80) this.#ascii(byte)
      else this.#beyondAscii(byte)
      this.#previous = byte
    }
  }

  #ascii(byte: number): void {
    const letter = isLetter(byte)
    if (this.#open === 'symbol' && letter) this.#strange += 1
    if (this.#open === 'upper' && isLower(byte)) this.#strange += 1
    this.#open = undefined
    if (letter) this.#word.ascii += 1
    else if (this.#word.ascii + this.#word.high > 0) this.#endWord()
  }

  #beyondAscii(byte: number): void {
    this.#high += 1
    const kind = kinds[byte - 0x80] ?? 'none'
    if (kind === 'none') this.#impossible = true
    if (kind === 'rare') this.#strange += 1
    this.#open = isLetter(this.#previous) ? kind : undefined
    if (kind === 'upper' && isLower(this.#previous)) this.#strange += 1
    if (kind === 'upper' || kind === 'lower') {
      this.#word.high += 1
      if (nordic.has(byte)) this.#word.nordic += 1
    } else {
      this.#endWord()
    }
  }

  #endWord(): void {
    const {ascii, high, nordic} = this.#word
    if (high > 0 && ascii > 0) this.#mixedWords += 1
    else if (high > 2 && nordic < high) this.#foreignWords += 1
    this.#word = {ascii: 0, high: 0, nordic: 0}
  }

  #utf8(byte: number): void {
    if (this.#continuation > 0 && byte >= 0x80 && byte < 0xc0) {
      this.#continuation -= 1
      if (this.#continuation === 0) this.#utf8Characters += this.#lead
      return
    }
    this.#lead = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    this.#continuation = Math.max(0, this.#lead - 1)
  }

  /** To be asked at the end. */
  get isLikely(): boolean {
    this.#endWord()
    const tolerated = this.#high / 10
    if (this.#impossible || this.#strange > tolerated || this.#utf8Characters > tolerated) return false
    return this.#foreignWords <= this.#mixedWords
  }
}
