import {Args, Flags} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {inputFlags, presetFlags} from '../../src/cli/bulk/flags.js'
import {presetText, templateText} from '../../src/cli/bulk/template.js'
import {usage} from '../../src/cli/process/failure.js'

export default class CustomersTemplate extends BulkCommand<typeof CustomersTemplate> {
  static override summary = 'Print a map file to start from, or the CSV header of a file that needs no map'
  static override description =
    'Maps the columns of an example file by their names, and suggests transforms and aliases from its first rows. Fill in what is left empty. If the file is the export of a known shop, prints the map of its --preset.'
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
    const {text, left, preset} = await this.guarded(() =>
      flags.preset === undefined
        ? templateText(this.args.file, flags, this.io, (note) => this.say(this.redaction.note(note)))
        : presetText(flags),
    )
    if (preset !== undefined) {
      this.say(`this is a customer export of a known shop: frontdesk customers import FILE --preset ${preset}`)
    }
    if (left.length > 0) this.say(`no member found for: ${left.join(', ')}`)
    await this.output.text(text)
  }
}
