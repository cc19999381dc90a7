import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {breather} from './breath.js'
import {facetSignature, facetsOf} from './facets.js'
import {corrupt} from './failures.js'
import {hasCode, readAll, writeNew} from './files.js'
import {addKeys, IndexBuilder} from './index-builder.js'
import type {LoadOptions} from './load.js'
import type {RunFile} from './manifest.js'
import type {ReadAt} from './pages.js'
import {openPrivate} from './private.js'
import {linesOf} from './recovery.js'
import {Run} from './run.js'
import {RunIndex} from './run-index.js'
import {parsedRunLine} from './run-line.js'

/** Runs larger than this do not fill the cache when they are scanned. */
const cachedScanBytes = 64 << 20

export const indexName = (runName: string): string => runName.replace(/ndjson$/, 'idx')

/** Opens a run of the manifest with its index, which is made again if it does not fit. */
export async function openRun(directory: string, file: RunFile, options: LoadOptions): Promise<Run> {
  const {files, cache, facets} = options
  const path = join(directory, file.file)
  const {fd, size} = await openPrivate(files, path, 'read')
  const fds = [fd]
  try {
    if (size !== file.bytes) throw corrupt(`${path} has ${size} bytes instead of ${file.bytes}.`, path)
    const index =
      (await openIndex(join(directory, indexName(file.file)), file, fds, options)) ??
      (await madeIndex(join(directory, indexName(file.file)), {file, path, fd}, options))
    const hasFacets = file.facets === facetSignature(facetsOf(facets, file.kind))
    return new Run(files, {file, path, fds, index}, {cache, hasFacets, cachesScans: file.bytes <= cachedScanBytes})
  } catch (error) {
    for (const open of fds) await files.close(open)
    throw error
  }
}

async function openIndex(path: string, file: RunFile, fds: number[], {files}: LoadOptions) {
  try {
    const {fd} = await openPrivate(files, path, 'read')
    fds.push(fd)
    return RunIndex.open((position, length) => readAll(files, fd, position, length), path, file)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Makes an index from the lines, and keeps it for the next time if this process may write. */
async function madeIndex(
  path: string,
  run: {readonly file: RunFile; readonly path: string; readonly fd: number},
  {files, writes}: LoadOptions,
): Promise<RunIndex> {
  const builder = new IndexBuilder()
  for (const {bytes, start} of linesOf(files, run.fd, run.file.bytes)) {
    const parsed = parsedRunLine(bytes)
    if (!parsed) throw corrupt(`${run.path} is damaged at byte ${start}.`, run.path)
    builder.line(start)
    addKeys(builder, parsed.head)
  }
  const content = await builder.finish(run.file, breather(5))
  if (writes) {
    await files.unlink(path)
    await writeNew(files, path, content)
  }
  const inMemory: ReadAt = (position, length) => content.subarray(position, position + length)
  const index = RunIndex.open(inMemory, path, run.file)
  if (!index) throw new StateError('StateUnusable', `No index can be made for ${run.path}.`, run.path, 'Report this.')
  return index
}
