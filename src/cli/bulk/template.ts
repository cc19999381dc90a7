import type {Io} from '../process/io.js'
import {jsonText} from '../render/sanitize.js'
import {openInput} from './sources.js'

/** The text of a template, and the columns that no field was found for. */
export async function templateText(
  file: string | undefined,
  csv: boolean,
  io: Io,
): Promise<{readonly text: string; readonly left: readonly string[]}> {
  const [{plainTemplate, templateFor}, {csvLine}] = await Promise.all([
    import('../../transfer/mapping/template.js'),
    import('../../transfer/output/csv-line.js'),
  ])
  const input = file === undefined ? undefined : await openInput({files: [file]}, io)
  try {
    const {map, header, left} = input ? await templateFor(input.sources) : plainTemplate()
    return {text: csv ? csvLine(header) : `${jsonText(map, 2)}\n`, left}
  } finally {
    await input?.dispose()
  }
}
