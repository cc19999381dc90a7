import {isAscii} from 'node:buffer'

/** Bytes become text piece by piece; a character may be cut between two pieces. */
export interface Decoder {
  /** Throws Undecodable. */
  take(bytes: Buffer): string
  /** What is left at the end. Throws Undecodable if that is half a character. */
  end(): string
}

/** Bytes that the encoding has no character for. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable'
  /** Line breaks between the beginning of the piece and the bytes. */
  readonly linesBefore: number

  constructor(textBefore: string) {
    super('these bytes are no text in this encoding')
    this.linesBefore = textBefore.split('\n').length - 1
  }
}

/** The encodings that are known by heart; others are the platform's (WHATWG Encoding Standard). */
const spellings: ReadonlyMap<string, string> = new Map([
  ['utf8', 'utf-8'],
  ['utf16', 'utf-16'],
  ['utf16le', 'utf-16le'],
  ['ucs2', 'utf-16le'],
  ['utf16be', 'utf-16be'],
  ['windows1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['ansi', 'windows-1252'],
  ['iso88591', 'iso-8859-1'],
  ['latin1', 'iso-8859-1'],
  ['iso885915', 'iso-8859-15'],
  ['latin9', 'iso-8859-15'],
])

/** The name of an encoding in its usual spelling, or nothing for what neither we nor Node know. */
export function encodingNamed(label: string): string | undefined {
  const own = spellings.get(label.toLowerCase().replace(/[^a-z0-9]/g, ''))
  if (own !== undefined) return own
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

const pairs = (first: number, characters: string): [number, string][] =>
  [...characters].map((character, at): [number, string] => [first + at, character]).filter(([, text]) => text !== ' ')

/**
 * What differs from ISO 8859-1, whose bytes are the code points. Node's own decoder is not used for these: several
 * releases read windows-1252 as ISO 8859-1 (nodejs/node#56542).
 */
export const windows1252: ReadonlyMap<number, string> = new Map(pairs(0x80, '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'))
const iso885915 = new Map([
  [0xa4, '€'],
  [0xa6, 'Š'],
  [0xa8, 'š'],
  [0xb4, 'Ž'],
  [0xb8, 'ž'],
  [0xbc, 'Œ'],
  [0xbd, 'œ'],
  [0xbe, 'Ÿ'],
])

/** C1 control characters are in no text that people wrote: the byte is of another encoding. */
function singleByte(table: ReadonlyMap<number, string>): Decoder {
  const take = (bytes: Buffer): string => {
    const text = bytes.toString('latin1')
    if (isAscii(bytes)) return text
    return text.replaceAll(/[\x80-\xbf]/g, (character, at: number) => {
      const code = character.charCodeAt(0)
      const found = table.get(code) ?? (code < 0xa0 ? undefined : character)
      if (found === undefined) throw new Undecodable(text.slice(0, at))
      return found
    })
  }
  return {take, end: () => ''}
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

function utf16(isBigEndian: boolean): Decoder {
  let rest: Buffer = Buffer.alloc(0)
  const checked = (text: string): string => {
    if (!text.isWellFormed()) throw new Undecodable(text.slice(0, text.search(loneSurrogate)))
    return text
  }
  const take = (bytes: Buffer): string => {
    const all = Buffer.concat([rest, bytes])
    let cut = all.length - (all.length % 2)
    // The high byte of the last unit tells whether the other half of a pair comes next.
    const high = all[cut - (isBigEndian ? 2 : 1)] ?? 0
    if (cut > 0 && high >= 0xd8 && high < 0xdc) cut -= 2
    rest = Buffer.from(all.subarray(cut))
    const units = all.subarray(0, cut)
    return checked((isBigEndian ? units.swap16() : units).toString('utf16le'))
  }
  const end = (): string => {
    if (rest.length > 0) throw new Undecodable('')
    return ''
  }
  return {take, end}
}

function platformDecoder(name: string): Decoder {
  const decoder = new TextDecoder(name, {fatal: true, ignoreBOM: true})
  const take = (bytes: Buffer): string => {
    try {
      return decoder.decode(bytes, {stream: true})
    } catch {
      throw new Undecodable(before(bytes))
    }
  }
  /** The whole lines in front of the first that is no text; the first may have begun in an earlier piece. */
  const before = (bytes: Buffer): string => {
    let from = bytes.indexOf(10) + 1
    for (let to = bytes.indexOf(10, from); to !== -1; to = bytes.indexOf(10, from)) {
      try {
        new TextDecoder(name, {fatal: true}).decode(bytes.subarray(from, to))
      } catch {
        return bytes.toString('latin1', 0, from)
      }
      from = to + 1
    }
    return ''
  }
  const end = (): string => {
    try {
      return decoder.decode()
    } catch {
      throw new Undecodable('')
    }
  }
  return {take, end}
}

/** Cuts between characters and checks them; what is valid stays as it is. */
export function decoderOf(encoding: string): Decoder {
  switch (encoding) {
    case 'windows-1252':
      return singleByte(windows1252)
    case 'iso-8859-1':
      return singleByte(new Map())
    case 'iso-8859-15':
      return singleByte(iso885915)
    case 'utf-16':
    case 'utf-16le':
      return utf16(false)
    case 'utf-16be':
      return utf16(true)
    default:
      return platformDecoder(encoding)
  }
}
