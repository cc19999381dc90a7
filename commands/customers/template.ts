import {Args, Flags} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {inputFlags} from '../../src/cli/bulk/flags.js'
import {templateText} from '../../src/cli/bulk/template.js'

export default class CustomersTemplate extends BulkCommand<typeof CustomersTemplate> {
  static override summary = 'Print a map file to start from, or the CSV header of a file that needs no map'
  static override description =
    'If you name an example file, its columns are mapped by their names, and its first rows decide which transforms and aliases are suggested. Fill in what is left empty.'
  static override examples = [
    '<%= config.bin %> customers template crm.csv > map.json',
    '<%= config.bin %> customers template --csv > customers.csv',
  ]
  static override args = {file: Args.string({ignoreStdin: true, description: 'an example file'})}
  static override flags = {
    ...inputFlags,
    csv: Flags.boolean({summary: 'Print a CSV header instead of a map file.'}),
  }

  async run(): Promise<void> {
    const {text, left} = await this.guarded(() =>
      templateText(this.args.file, this.flags, this.io, (note) => this.say(this.redaction.note(note))),
    )
    if (left.length > 0) this.say(`no member found for: ${left.join(', ')}`)
    await this.output.text(text)
  }
}
