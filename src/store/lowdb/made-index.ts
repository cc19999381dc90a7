import {StateError} from '../../domain/errors.js'
import {breather} from './breath.js'
import {corrupt} from './failures.js'
import {writeNew} from './files.js'
import {addKeys, IndexBuilder} from './index-builder.js'
import type {LoadOptions} from './load.js'
import type {RunFile} from './manifest.js'
import type {ReadAt} from './pages.js'
import {linesOf} from './recovery.js'
import {RunIndex} from './run-index.js'
import {parsedRunLine} from './run-line.js'

/** Makes an index from the lines, and keeps it for the next time if this process may write. */
export async function madeIndex(
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
