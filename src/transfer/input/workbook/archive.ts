import type {Readable} from 'node:stream'
import type {Entry} from 'yauzl'
import {InputError} from '../../files/input-error.js'
import type {StoredFile} from '../container/stored-bytes.js'
import {unsupported} from '../container/unsupported.js'
import {type XmlHandlers, xmlPieces} from '../xml.js'

const maxEntries = 20_000
/** Text in XML shrinks to a tenth or a fiftieth. What unpacks to more than this many times its size was made to. */
const [maxRatio, ratioFrom] = [500, 64 * 1024 * 1024]

/** Whether a file begins like a ZIP archive, as new workbooks are. */
export const isArchive = (head: Buffer): boolean => /^PK(?:\x03\x04|\x05\x06)/.test(head.toString('latin1', 0, 4))

export type Archive = Awaited<ReturnType<typeof openArchive>>

/** Opens an archive and reads its list of parts. Throws InputError if it is damaged or cut. */
export async function openArchive(file: StoredFile) {
  const {openPromise} = await import('yauzl')
  const zip = await openPromise(file.path, {lazyEntries: true, autoClose: false}).catch((cause: unknown) => {
    throw damaged(file, cause)
  })
  const entries = new Map<string, Entry>()
  try {
    if (zip.entryCount > maxEntries) throw new Error(`it has ${zip.entryCount} parts`)
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
  } catch (cause) {
    zip.close()
    throw damaged(file, cause)
  }
  return {
    file,
    names: [...entries.values()].map(({fileName}) => fileName),
    has: (part: string): boolean => entries.has(part.toLowerCase()),
    async stream(part: string): Promise<Readable> {
      const entry = entries.get(part.toLowerCase())
      if (!entry) throw damaged(file, new Error(`${part} is missing`))
      if (entry.isEncrypted()) {
        throw unsupported(file.name, 'a ZIP archive with a password', 'unpack it, and name the file with the rows')
      }
      const {compressedSize, uncompressedSize} = entry
      if (uncompressedSize > ratioFrom && uncompressedSize / Math.max(1, compressedSize) > maxRatio) {
        throw damaged(file, new Error(`${part} unpacks to ${uncompressedSize} bytes`))
      }
      try {
        return await zip.openReadStreamPromise(entry)
      } catch (cause) {
        throw damaged(file, cause)
      }
    },
    close: (): void => zip.close(),
  }
}

/** A workbook that cannot be read. Problems that are named already stay what they are. */
export function damaged({name}: StoredFile, cause: unknown): Error {
  if (cause instanceof InputError) return cause
  const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
  return new InputError(
    `${name} is a damaged workbook: ${why}.`,
    {file: name, remedy: 'Open it in a spreadsheet program and save it anew, as .xlsx or as CSV UTF-8.'},
    {cause},
  )
}

/** Reads a part of a workbook piece by piece, and gives what the handlers emit of each. */
export async function* xmlPart<T>(
  archive: Archive,
  part: string,
  handlersFor: (emit: (value: T) => void) => XmlHandlers,
): AsyncGenerator<readonly T[]> {
  const fail = (what: string): never => {
    throw new Error(`${part} ${what}`)
  }
  const stream = await archive.stream(part)
  try {
    yield* xmlPieces(textsOf(stream), fail, handlersFor)
  } catch (cause) {
    throw damaged(archive.file, cause)
  } finally {
    stream.destroy()
  }
}

async function* textsOf(stream: Readable): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(encodingOf(chunk), {fatal: true})
    yield decoder.decode(chunk, {stream: true})
  }
  if (decoder) yield decoder.decode()
}

/** XML is UTF-8 unless a byte order mark says otherwise. */
function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

export async function readXml(archive: Archive, part: string, handlers: XmlHandlers): Promise<void> {
  for await (const _ of xmlPart(archive, part, () => handlers));
}
