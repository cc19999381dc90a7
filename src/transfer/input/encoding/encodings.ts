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

/** What differs from ISO 8859-1, whose bytes are the code points. Several releases of Node do not know it (nodejs/node#56542). */
export const windows1252: ReadonlyMap<number, string> = new Map(
  [...'€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'].flatMap((text, at) => (text === ' ' ? [] : [[0x80 + at, text] as const])),
)

/** Bytes as code points; those of windows-1252 that are others in ISO 8859-1 as characters of their own. */
function latin(table: ReadonlyMap<number, string>): (bytes: Buffer) => string {
  return (bytes) => {
    const text = bytes.toString('latin1')
    if (table.size === 0 || isAscii(bytes)) return text
    return text.replaceAll(/[\x80-\x9f]/g, (one) => table.get(one.charCodeAt(0)) ?? one)
  }
}

/** Cuts between characters, and checks them: C1 controls are in no text that people wrote, so the byte is of another encoding. */
export function decoderOf(encoding: string): Decoder {
  const isUtf16 = encoding.startsWith('utf-16')
  const platform = new TextDecoder(encoding === 'utf-16' ? 'utf-16le' : encoding, {ignoreBOM: true})
  const own = {'windows-1252': latin(windows1252), 'iso-8859-1': latin(new Map())}[encoding]
  const noText = isUtf16 ? /\ufffd/ : /[\x80-\x9f\ufffd]/
  const checked = (text: string): string => {
    const at = text.search(noText)
    if (at >= 0) throw new Undecodable(text.slice(0, at))
    return text
  }
  return {
    take: (bytes) => checked(own ? own(bytes) : platform.decode(bytes, {stream: true})),
    end: () => checked(own ? '' : platform.decode()),
  }
}
