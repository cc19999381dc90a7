import {Args, Flags} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {type BulkFlags, inputFlags, presetFlags} from '../../src/cli/bulk/flags.js'
import {presetFrom} from '../../src/cli/bulk/options.js'
import {inputOf, withInput} from '../../src/cli/bulk/sources.js'
import {usage} from '../../src/cli/process/failure.js'
import {jsonText} from '../../src/cli/process/sanitize.js'
import {readAsText} from '../../src/transfer/input/read-as.js'
import type {TransferEvent} from '../../src/transfer/run/events.js'

export default class CustomersTemplate extends BulkCommand<typeof CustomersTemplate> {
  static override uses = [] as const
  static override summary = 'Print a map file to start from, or the CSV header of a file that needs no map'
  static override description =
    'Maps the columns of an example file by their names, and suggests transforms and aliases from its first rows. Fill in the empty texts. If the file is the export of a known shop, prints the map of its --preset.'
  static override examples = [
    '<%= config.bin %> customers template crm.csv > map.json',
    '<%= config.bin %> customers template --csv > customers.csv',
    '<%= config.bin %> customers template --preset shopify > map.json',
  ]
  static override args = {file: Args.string({ignoreStdin: true, description: 'an example file'})}
  static override flags = {
    ...inputFlags,
    ...presetFlags,
    csv: Flags.boolean({exclusive: ['preset'], summary: 'Print a CSV header instead of a map file.'}),
  }

  async run(): Promise<void> {
    const {flags} = this
    if (flags.preset !== undefined && this.args.file !== undefined) {
      throw usage('--preset prints the map of a shop and takes no file.', 'Leave out either of them.')
    }
    const idle = this.args.file === undefined && Object.keys(inputFlags).find((name) => this.given.has(name))
    if (idle) throw usage(`--${idle} has no effect: no file is read.`, 'Name the example file, or leave it out.')
    const {text, left} = await this.guarded(() => (flags.preset === undefined ? this.#template() : this.#preset(flags)))
    if (left.length > 0) this.say(`no field found for: ${left.join(', ')}`)
    await this.output.text(text)
  }

  /** The map of a preset, as a map file. */
  async #preset(flags: BulkFlags) {
    return {text: `${jsonText(await presetFrom(flags), 2)}\n`, left: []}
  }

  /** The text of a template, and the columns that no field was found for. */
  async #template() {
    const {flags, io} = this
    const {file} = this.args
    const [{plainTemplate, templateFor}, {csvLine}] = await Promise.all([
      import('../../src/transfer/template.js'),
      import('../../src/transfer/files/csv-line.js'),
    ])
    const told = (event: TransferEvent): void => {
      if (event.type === 'read-as') this.say(this.redaction.note(readAsText(event)))
    }
    const {map, header, left, preset} =
      file === undefined
        ? plainTemplate()
        : await withInput({...inputOf(flags), files: [file]}, io, told, ({sources}) => templateFor(sources))
    if (flags.csv) return {text: csvLine(header), left}
    if (preset === undefined) return {text: `${jsonText(map, 2)}\n`, left}
    this.say(`this is a customer export of a known shop: frontdesk customers import FILE --preset ${preset}`)
    return this.#preset({preset})
  }
}
