import {StateError} from '../../../domain/errors.js'
import {corrupt} from '../format/failures.js'
import type {Files} from '../format/files.js'
import type {RunFile} from '../format/manifest.js'
import {parsedRunLine} from '../format/record.js'
import {linesOf} from '../format/recovery.js'
import {breather} from '../memory/time-slice.js'
import {addKeys, IndexBuilder} from './index-builder.js'
import type {ReadAt} from './pages.js'
import {RunIndex} from './segment-index.js'

/** Makes the index of a run from its lines, in memory. Throws StateCorrupt for a line that cannot be read. */
export async function madeIndex(
  files: Files,
  run: {readonly file: RunFile; readonly path: string; readonly fd: number},
): Promise<{readonly index: RunIndex; readonly content: Buffer}> {
  const builder = new IndexBuilder()
  const breath = breather(5)
  for (const {bytes, start} of linesOf(files, run.fd, run.file.bytes)) {
    const parsed = parsedRunLine(bytes)
    if (!parsed) throw corrupt(`${run.path} is damaged at byte ${start}.`, run.path)
    builder.line(start)
    addKeys(builder, parsed.head)
    await breath()
  }
  const content = await builder.finish(run.file, breath)
  const inMemory: ReadAt = (position, length) => content.subarray(position, position + length)
  const index = RunIndex.open(inMemory, run.path, run.file)
  if (!index) throw new StateError('StateUnusable', `No index can be made for ${run.path}.`, run.path, 'Report this.')
  return {index, content}
}
