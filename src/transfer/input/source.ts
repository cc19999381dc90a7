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
import {contentOf} from './container/content.js'
import type {Source, SourceOptions} from './row.js'
import {formatByName, type RowFormat} from './row-format.js'

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

/** Throws InputError if the file is no longer the one that was opened. */
export async function checkUnchanged(source: Source): Promise<void> {
  if (stampOf(await statOf(source.path)) === source.stamp) return
  throw new InputError(`${source.name} was changed while it was being read.`, {
    file: source.name,
    remedy: 'Run the command again once the file is complete.',
  })
}
