import {BaseCommand} from '../../src/cli/command/base-command.js'
import {idHint} from '../../src/cli/deprecations/filter.js'
import {deprecationDetailsView} from '../../src/cli/deprecations/views.js'
import {requiredArg} from '../../src/cli/input/flags.js'
import {Failure} from '../../src/cli/process/failure.js'
import {detailsOf, getDeprecation} from '../../src/deprecations/list.js'

export default class DeprecationsGet extends BaseCommand<typeof DeprecationsGet> {
  static override shows = 'installation' as const
  static override summary = 'Show one deprecation'
  static override description = 'Ends with code 3 if there is no deprecation with this id, and suggests similar ids.'
  static override examples = ['<%= config.bin %> deprecations get customers-anonymous-cart-id']
  static override args = {id: requiredArg('id, as `deprecations list` shows it')}

  async run(): Promise<void> {
    const {id} = this.args
    const entry = getDeprecation(id)
    if (entry) return this.output.document(detailsOf(entry), deprecationDetailsView)
    throw new Failure('notFound', 'DeprecationNotFound', `There is no deprecation '${id}'.`, {hints: [idHint(id)]})
  }
}
