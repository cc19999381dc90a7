import {type BigIntStats, constants, openSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import {Socket} from 'node:net'
import {join} from 'node:path'
import {addAbortSignal, Readable} from 'node:stream'
import {defined} from '../../domain/equal.js'
import {hasCode} from '../../files/file-errors.js'
import {appendable} from '../../files/private-handle.js'
import {removeScratch, scratchFolder} from '../../files/scratch.js'
import {InputError} from '../files/input-error.js'
import {isGzip, type StoredFile, storedBytes, wholePieceBytes} from './container/stored-bytes.js'
import {refuseUnsupported, unsupported} from './container/unsupported.js'
import {chosenEncoding, detectEncoding} from './encoding/encodings.js'
import type {Source, SourceOptions} from './row.js'
import {formatByContent, formatByName, type RowFormat} from './row-format.js'
import {isArchive} from './workbook/archive.js'

// Undefined on Windows.
const {O_RDONLY, O_NONBLOCK = 0} = constants

export interface Sources {
  readonly list: readonly Source[]
  /** Removes the temporary copies of streams. */
  dispose(): Promise<void>
}

/**
 * Opens the files to read; `-` is the standard input. The caller disposes of them. Throws InputError for a file that is
 * missing, empty or no file.
 *
 *     const {list, dispose} = await openSources(['customers.csv', 'more.jsonl.gz'])
 */
export async function openSources(paths: readonly string[], options: SourceOptions = {}): Promise<Sources> {
  const kept: string[] = []
  const dispose = async (): Promise<void> => kept.forEach(removeScratch)
  try {
    const list: Source[] = []
    for (const path of paths) list.push(await openSource(path, options, kept))
    if (list.length === 0) throw new InputError('No file was named.')
    return {list, dispose}
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Opens a file beside the sources. Throws InputError for what is no file. */
export async function openFile(path: string, options: SourceOptions = {}): Promise<Source> {
  if ((await statOf(path)).isFile()) return sourceAt(path, path, formatByName(path), options)
  throw new InputError(`${path} is no file that can be read again.`, {file: path})
}

async function openSource(path: string, options: SourceOptions, kept: string[]): Promise<Source> {
  if (path === '-') {
    if (!options.stdin) throw new InputError('The standard input cannot be read here.', {file: '-'})
    return sourceAt('standard input', await keep(options.stdin, kept, options), undefined, options)
  }
  const stats = await statOf(path)
  if (stats.isDirectory()) throw new InputError(`${path} is a directory, not a file.`, {file: path})
  if (stats.isCharacterDevice() || stats.isBlockDevice()) {
    throw new InputError(`${path} is a device, not a file or a pipe.`, {file: path})
  }
  // A pipe can be read once only.
  const file = stats.isFile() ? path : await keep(pipeAt(path), kept, options)
  return sourceAt(path, file, formatByName(path), options)
}

/** Opened at once, though nobody may write into it yet: a thread that waits for them would keep the process from its end. */
function pipeAt(path: string): Socket {
  try {
    return new Socket({fd: openSync(path, O_RDONLY | O_NONBLOCK), readable: true})
  } catch (cause) {
    throw new InputError(`${path} cannot be read.`, {file: path}, {cause})
  }
}

async function statOf(path: string): Promise<BigIntStats> {
  try {
    return await stat(path, {bigint: true})
  } catch (cause) {
    const missing = hasCode(cause, 'ENOENT')
    const message = missing ? `${path} does not exist.` : `${path} cannot be read.`
    throw new InputError(message, {file: path}, {cause})
  }
}

/** Writes a stream to a file of its own, which nobody else may read. */
async function keep(stream: AsyncIterable<Uint8Array>, kept: string[], {signal}: SourceOptions): Promise<string> {
  const dir = scratchFolder('rows')
  kept.push(dir)
  const path = join(dir, 'rows')
  const file = await appendable(path)
  try {
    // From here on somebody hears of it.
    if (signal && stream instanceof Readable) addAbortSignal(signal, stream)
    for await (const chunk of stream) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
  return path
}

const stampOf = (stats: BigIntStats): string => `${stats.ino}:${stats.size}:${stats.mtimeNs}`

async function sourceAt(
  name: string,
  path: string,
  named: RowFormat | undefined,
  options: SourceOptions,
): Promise<Source> {
  const stats = await statOf(path)
  const {headerRow} = options
  const base = {name, path, bytes: Number(stats.size), stamp: stampOf(stats), ...defined({headerRow})}
  if (options.allowEmpty && stats.size === 0n)
    return {...base, encoding: 'utf-8', format: named ?? options.format ?? 'csv'}
  const content = await contentOf({name, path}, named, options)
  if (headerRow !== undefined && content.format !== 'csv' && content.format !== 'xlsx')
    throw new InputError(`${name} is no table and has no header.`, {file: name, remedy: 'Leave --header-row out.'})
  return {...base, ...content}
}

type Content = Pick<Source, 'format' | 'encoding' | 'because' | 'compression' | 'sheet'>

const headBytes = 4096

/** Looks at a file and tells how it is read. Throws InputError for what holds no rows, and names what it is instead. */
async function contentOf(file: StoredFile, named: RowFormat | undefined, options: SourceOptions): Promise<Content> {
  const {name} = file
  const stored = await headOf(file)
  const packed = isGzip(stored) ? ({compression: 'gzip'} as const) : {}
  const unpacked = {...file, ...packed}
  const head = isGzip(stored) ? await headOf(unpacked) : stored
  if (head.length === 0) throw new InputError(`${name} is empty.`, {file: name, remedy: 'Export it again.'})
  if (isGzip(head)) throw unsupported(name, 'compressed twice', 'unpack it first: gunzip FILE')
  if (isArchive(head)) {
    if (isGzip(stored)) throw unsupported(name, 'a compressed workbook or archive', 'unpack it first: gunzip FILE')
    const idle = (['format', 'encoding'] as const).find((option) => options[option] !== undefined)
    if (idle !== undefined)
      throw new InputError(`${name} is a workbook, which says itself how it is read.`, {
        file: name,
        remedy: `Leave --${idle} out.`,
      })
    return sheetOf(file, options.sheet)
  }
  if (options.sheet !== undefined) {
    throw new InputError(`${name} is no workbook and has no sheets.`, {file: name, remedy: 'Leave --sheet out.'})
  }
  refuseUnsupported(name, head)
  const {encoding: label} = options
  const encoding =
    label === undefined
      ? await detectEncoding(name, head, () => storedBytes(unpacked, wholePieceBytes))
      : chosenEncoding(name, head, label)
  const text = new TextDecoder(encoding.encoding).decode(head)
  if (text === '') {
    throw new InputError(`${name} is empty but for a byte order mark.`, {file: name, remedy: 'Export it again.'})
  }
  return {...encoding, ...packed, format: options.format ?? formatByContent(text, named)}
}

async function sheetOf(file: StoredFile, named: string | undefined): Promise<Content> {
  const {chosenSheet, openWorkbook} = await import('./workbook/workbook.js')
  const workbook = await openWorkbook(file)
  try {
    const {sheet, because} = chosenSheet(workbook, named)
    return {format: 'xlsx', encoding: 'utf-8', sheet: sheet.name, ...defined({because})}
  } finally {
    workbook.archive.close()
  }
}

async function headOf(file: StoredFile): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of storedBytes(file, headBytes)) {
      parts.push(chunk)
      size += chunk.length
      if (size >= headBytes) break
    }
  } catch (cause) {
    if (cause instanceof InputError) throw cause
    throw new InputError(`${file.name} cannot be read.`, {file: file.name}, {cause})
  }
  return Buffer.concat(parts).subarray(0, headBytes)
}

/** Throws InputError if the file is no longer the one that was opened. */
export async function checkUnchanged(source: Source): Promise<void> {
  if (stampOf(await statOf(source.path)) === source.stamp) return
  throw new InputError(`${source.name} was changed while it was being read.`, {
    file: source.name,
    remedy: 'Run the command again once the file is complete.',
  })
}
