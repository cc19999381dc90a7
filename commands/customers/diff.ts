import {Args} from '@oclif/core'
import {BulkCommand} from '../../src/cli/bulk/bulk-command.js'
import {type DifferentRow, differentLines, differentRow, diffSummary} from '../../src/cli/bulk/diff.js'
import {mappingFlags, matchFlags, pressureFlags} from '../../src/cli/bulk/flags.js'
import {runImport} from '../../src/cli/bulk/import.js'
import {matchFrom} from '../../src/cli/bulk/options.js'
import type {Calls} from '../../src/cli/command/operations.js'
import {jobsFolder} from '../../src/cli/target/settings.js'

export default class CustomersDiff extends BulkCommand<typeof CustomersDiff> {
  static override operations: Calls = ['queryCustomers']
  static override summary = 'Show what an import would change'
  static override description =
    'Shows one entry for each row that would create or change a customer, or is in conflict, with the update actions that an import would send. Writes nothing.'
  static override examples = [
    '<%= config.bin %> customers diff customers.csv --map-file map.json',
    '<%= config.bin %> customers diff customers.jsonl --match email --json',
  ]
  static override args = {
    file: Args.string({
      multiple: true,
      required: true,
      ignoreStdin: true,
      description: 'files to read; - is the standard input',
    }),
  }
  static override flags = {...mappingFlags, ...matchFlags, ...pressureFlags}

  async run(): Promise<void> {
    const rows: DifferentRow[] = []
    const match = await this.guarded(() => matchFrom(this.flags))
    const form = this.output.form
    const shown = (row: DifferentRow): string => differentLines(row, this.args.file.length)
    const streams = (form === undefined || form === 'jsonl') && this.flags.out === undefined
    const flags = {...this.flags, resume: false}
    const job = {files: this.args.file, flags, io: this.io, resolved: this.resolved, jobsDir: jobsFolder(this.folders)}
    const plan = await this.bulk(({client, onEvent}) =>
      runImport.dry(
        {
          client,
          onEvent: (event) => {
            onEvent(event)
            const row = event.type === 'planned' ? differentRow(event.planned, match) : undefined
            if (row) rows.push(row)
          },
        },
        job,
        async () => {
          for (const row of streams ? rows.splice(0) : []) {
            if (form === 'jsonl') await this.output.line(row)
            else await this.output.rowLines(row, `${shown(row)}\n`)
          }
        },
      ),
    )
    const {first: _, ...counts} = plan
    this.say(diffSummary(plan))
    if (!streams) await this.output.answer({...counts, rows}, rows.map(shown).join('\n'))
  }
}
