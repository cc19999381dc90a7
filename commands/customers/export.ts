import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {runExport} from '../../src/cli/bulk/export.js'
import {sinceFlags} from '../../src/cli/bulk/flags.js'
import {flowEnd, Since} from '../../src/cli/bulk/since.js'
import {calling} from '../../src/cli/command/idle-flags.js'
import {choiceFlag, textFlag, whereFlags} from '../../src/cli/input/flags.js'
import {written} from '../../src/cli/process/io.js'
import {counted, jsonText} from '../../src/cli/process/sanitize.js'
import {noteFile} from '../../src/cli/run/written-files.js'
import {exportFormats} from '../../src/transfer/output/export-format.js'

export default class CustomersExport extends BulkCommand<typeof CustomersExport> {
  static override operations = ['queryCustomers'] as const
  static override uses = [...calling, 'rows'] as const
  static override summary = 'Write customers to a file that can be imported again'
  static override description =
    'Writes all customers, or those that match --where, ordered by id. The file appears when it is complete, and only you can read it. Passwords are never exported.'
  static override examples = [
    '<%= config.bin %> customers export --out customers.csv',
    "<%= config.bin %> customers export --format jsonl --where 'lastName = :name' --var name=Lovelace",
    '<%= config.bin %> customers export --out shared.csv --anonymize 7 --excel-safe',
    '<%= config.bin %> customers export --out changes.jsonl --since last',
  ]
  static override flags = {
    format: choiceFlag(exportFormats, 'Format of the file, if its name does not show it.'),
    ...whereFlags,
    ...sinceFlags,
    anonymize: textFlag('SEED', 'Replace personal data by pseudonyms; the same seed gives the same pseudonyms.'),
  }

  async run(): Promise<void> {
    const {out} = this.flags
    const {output} = this
    const {where, var: variables, anonymize} = this.flags
    const since = Since.of(this, ['export', flowEnd(this.resolved), where, variables, anonymize])
    const exported = await this.effect({
      at: 'machine',
      plan: () => [{out: out ?? null}, `would export customers to ${out ?? 'stdout'}`],
      act: async () => {
        const rows = await this.bulk((bulk) => runExport(bulk, this.flags, output, since))
        if (out !== undefined && anonymize === undefined) noteFile(this, out)
        return rows
      },
    })
    if (exported === undefined) return
    if (out !== undefined && this.output.form === 'json')
      await written(this.io.stdout, `${jsonText({exported, out}, 2)}\n`)
    else this.say(`${counted(exported, 'customer', 'customers')} exported${out === undefined ? '' : ` to ${out}`}`)
    await since?.end(0)
  }
}
