import {readAsText} from '../../transfer/input/read-as.js'
import type {TransferEvent} from '../../transfer/run/events.js'
import type {Io} from '../process/io.js'
import {jsonText} from '../render/sanitize.js'
import {type InputFlags, inputOf, withInput} from './sources.js'

export interface TemplateFlags extends InputFlags {
  readonly csv: boolean
}

/** The text of a template, and the columns that no field was found for; `say` tells how the example was read. */
export async function templateText(
  file: string | undefined,
  flags: TemplateFlags,
  io: Io,
  say: (note: string) => void,
): Promise<{readonly text: string; readonly left: readonly string[]}> {
  const [{plainTemplate, templateFor}, {csvLine}] = await Promise.all([
    import('../../transfer/mapping/template.js'),
    import('../../transfer/output/csv-line.js'),
  ])
  const told = (event: TransferEvent): void => (event.type === 'read-as' ? say(readAsText(event)) : undefined)
  const {map, header, left} =
    file === undefined
      ? plainTemplate()
      : await withInput({...inputOf(flags), files: [file]}, io, told, ({sources}) => templateFor(sources))
  return {text: flags.csv ? csvLine(header) : `${jsonText(map, 2)}\n`, left}
}
