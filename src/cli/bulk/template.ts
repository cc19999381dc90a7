import {readAsText} from '../../transfer/input/read-as.js'
import type {PresetName} from '../../transfer/presets/preset-names.js'
import type {TransferEvent} from '../../transfer/run/events.js'
import type {Io} from '../process/io.js'
import {jsonText} from '../process/sanitize.js'
import {type PresetFlags, presetFrom} from './options.js'
import {type InputFlags, inputOf, withInput} from './sources.js'

export interface TemplateFlags extends InputFlags {
  readonly csv: boolean
}

export interface TemplateText {
  readonly text: string
  /** Columns that no field was found for. */
  readonly left: readonly string[]
  /** The preset whose shop wrote the example. */
  readonly preset?: PresetName
}

/** The map of a preset, as a map file. */
export async function presetText(flags: PresetFlags): Promise<TemplateText> {
  return {text: `${jsonText(await presetFrom(flags), 2)}\n`, left: []}
}

/** The text of a template, and the columns that no field was found for; `say` tells how the example was read. */
export async function templateText(
  file: string | undefined,
  flags: TemplateFlags,
  io: Io,
  say: (note: string) => void,
): Promise<TemplateText> {
  const [{plainTemplate, templateFor}, {csvLine}] = await Promise.all([
    import('../../transfer/template.js'),
    import('../../transfer/files/csv-line.js'),
  ])
  const told = (event: TransferEvent): void => (event.type === 'read-as' ? say(readAsText(event)) : undefined)
  const {map, header, left, preset} =
    file === undefined
      ? plainTemplate()
      : await withInput({...inputOf(flags), files: [file]}, io, told, ({sources}) => templateFor(sources))
  if (preset !== undefined && !flags.csv) return {...(await presetText({preset})), preset}
  return {text: flags.csv ? csvLine(header) : `${jsonText(map, 2)}\n`, left}
}
