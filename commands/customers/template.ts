import {Args, Flags} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {templateText} from '../../src/cli/bulk/template.js'

export default class CustomersTemplate extends BulkCommand<typeof CustomersTemplate> {
  static override summary = 'Print a map file to begin with, or the header of a table that needs none'
  static override description =
    'With a table as an example, its columns are mapped as far as their names tell, and its first rows say which transforms and aliases are needed: fill in the empty ones.'
  static override examples = [
    '<%= config.bin %> customers template crm.csv > map.json',
    '<%= config.bin %> customers template --csv > customers.csv',
  ]
  static override args = {file: Args.string({ignoreStdin: true, description: 'a table to look at'})}
  static override flags = {csv: Flags.boolean({summary: 'Print the header of a table instead of a map file.'})}

  async run(): Promise<void> {
    const {text, left} = await this.guarded(() => templateText(this.args.file, this.flags.csv, this.io))
    if (left.length > 0) this.say(`no member found for: ${left.join(', ')}`)
    await this.output.text(text)
  }
}
