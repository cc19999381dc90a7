import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {type BulkFlags, inputFlags, presetFlags} from '../../src/cli/bulk/flags.js'
import {presetFrom} from '../../src/cli/bulk/options.js'
import {inputOf, withInput} from '../../src/cli/bulk/sources.js'
import {optionalArg, switchFlag, textFlag} from '../../src/cli/input/flags.js'
import {usage} from '../../src/cli/process/failure.js'
import {jsonText} from '../../src/cli/process/sanitize.js'
import {readAsText} from '../../src/transfer/input/read-as.js'
import type {TransferEvent} from '../../src/transfer/run/events.js'

export default class CustomersTemplate extends BulkCommand<typeof CustomersTemplate> {
  static override uses = [] as const
  static override summary = 'Print a map file to start from, or the CSV header of a file that needs no map'
  static override description =
    'Maps the columns of an example file by their names, and suggests transforms and aliases from its rows. If the file is the export of a known shop, prints the map of its --preset. What a person must decide stands in "decide"; an import refuses the map until it is taken out, or the flag named there is given.'
  static override examples = [
    '<%= config.bin %> customers template crm.csv > map.json',
    '<%= config.bin %> customers template --csv > customers.csv',
    '<%= config.bin %> customers template --preset shopify > map.json',
  ]
  static override args = {file: optionalArg('an example file')}
  static override flags = {
    ...inputFlags,
    ...presetFlags,
    'custom-type': textFlag(
      'KEY',
      'Import columns without a field, such as a phone alone, as custom fields of this type.',
    ),
    csv: switchFlag('Print a CSV header instead of a map file.', {exclusive: ['preset']}),
  }

  async run(): Promise<void> {
    const {flags} = this
    if (flags.preset !== undefined && this.args.file !== undefined) {
      throw usage('--preset prints the map of a shop and takes no file.', 'Leave out either of them.')
    }
    const ofFile = [...Object.keys(inputFlags), ...(flags.preset === undefined ? ['custom-type'] : [])]
    const idle = this.args.file === undefined && ofFile.find((name) => this.given.has(name))
    if (idle) throw usage(`--${idle} has no effect: no file is read.`, 'Name the example file, or leave it out.')
    await this.output.text(await this.guarded(() => this.#text(flags)))
  }

  /** The text of a template; what it leaves out and leaves to a person is said beside it. */
  async #text(flags: BulkFlags & {csv: boolean}): Promise<string> {
    if (flags.preset !== undefined) return `${jsonText(await presetFrom(flags), 2)}\n`
    const {file} = this.args
    const [{plainTemplate, templateFor}, {csvLine}, {decisionsOf}] = await Promise.all([
      import('../../src/transfer/template.js'),
      import('../../src/transfer/files/csv-line.js'),
      import('../../src/transfer/mapping/mapping.js'),
    ])
    const note = (text: string): void => this.say(this.redaction.note(text))
    const told = (event: TransferEvent): void => {
      if (event.type === 'read-as') note(readAsText(event))
    }
    const customType = flags['custom-type']
    const {map, header, left, preset} =
      file === undefined
        ? plainTemplate()
        : await withInput({...inputOf(flags), files: [file]}, this.io, told, ({sources}) =>
            templateFor(sources, {customType}),
          )
    if (left.length > 0) this.say(`no field found for: ${left.join(', ')}`)
    if (flags.csv) return csvLine(header)
    if (preset !== undefined)
      this.say(`this is a customer export of a known shop: frontdesk customers import FILE --preset ${preset}`)
    else for (const [column, why] of Object.entries(map.leftOut ?? {})) note(`left out, ${column}: ${why}`)
    for (const decision of decisionsOf(map)) note(`to decide, ${decision}`)
    return `${jsonText(map, 2)}\n`
  }
}
