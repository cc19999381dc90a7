import {BaseCommand} from '../../src/cli/base-command.js'
import {listing} from '../../src/cli/deprecations/catalogue.js'
import {filterFlags, filterOf} from '../../src/cli/deprecations/filter.js'
import {datedDeprecationView, deprecationView} from '../../src/cli/deprecations/views.js'

export default class DeprecationsList extends BaseCommand<typeof DeprecationsList> {
  static override summary = 'List what the API deprecated and removed'
  static override description =
    'Dates are as the API announced them; what it does not date has none, and is in no --since or --before.'
  static override examples = [
    '<%= config.bin %> deprecations list --area Customers',
    '<%= config.bin %> deprecations list --status removed --since 2023-01-01 --json',
    '<%= config.bin %> deprecations list --as-of 2026-01-01 --status upcoming',
  ]
  static override flags = filterFlags

  async run(): Promise<void> {
    const filter = filterOf(this.flags)
    const view = filter.asOf === undefined ? deprecationView : datedDeprecationView
    await this.output.page({...listing(filter)}, view)
  }
}
