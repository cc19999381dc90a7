import type {Use} from '../../src/cli/command/idle-flags.js'
import {filterFlags, filterOf} from '../../src/cli/deprecations/filter.js'
import {datedDeprecationView, deprecationView, seenDeprecationView} from '../../src/cli/deprecations/views.js'
import {switchFlag} from '../../src/cli/input/flags.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {runningServer} from '../../src/client/local/local-server.js'
import {listing} from '../../src/deprecations/list.js'

export default class DeprecationsList extends ServerCommand<typeof DeprecationsList> {
  static override uses: readonly Use[] = ['profile', 'state']
  static override summary = 'List what the API deprecated and removed'
  static override description =
    'Dates are those that the API announced. An entry without a date matches neither --since nor --before.'
  static override examples = [
    '<%= config.bin %> deprecations list --area Customers',
    '<%= config.bin %> deprecations list --status removed --since 2023-01-01 --json',
    '<%= config.bin %> deprecations list --as-of 2026-01-01 --status upcoming',
    '<%= config.bin %> deprecations list --seen',
  ]
  static override flags = {
    ...filterFlags,
    seen: switchFlag('Only those used by clients of the running local server since its start, with counts.'),
  }

  async run(): Promise<void> {
    const filter = filterOf(this.flags)
    const {count, results} = listing(filter)
    if (!this.flags.seen) {
      await this.output.page({count, results}, filter.asOf === undefined ? deprecationView : datedDeprecationView)
      return
    }
    const {dataDir} = this.local
    const {origin} = await runningServer(dataDir)
    // Loaded only for --seen, to keep the start of the command light.
    const {administer} = await import('../../src/client/local/admin.js')
    const uses = new Map(Object.entries((await administer(dataDir, 'serverStatus', {origin})).deprecatedUses))
    const seen = results.flatMap((row) => (uses.has(row.id) ? [{...row, uses: uses.get(row.id)}] : []))
    await this.output.page({count: seen.length, results: seen}, seenDeprecationView)
  }
}
