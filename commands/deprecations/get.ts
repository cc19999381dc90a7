import {Args} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {deprecationNamed} from '../../src/cli/deprecations/catalogue.js'
import {deprecationDetailsView} from '../../src/cli/deprecations/views.js'

export default class DeprecationsGet extends BaseCommand<typeof DeprecationsGet> {
  static override shows = 'installation' as const
  static override summary = 'Show one deprecation'
  static override description = 'Ends with code 3 if there is no deprecation with this id, and suggests similar ids.'
  static override examples = ['<%= config.bin %> deprecations get customers-anonymous-cart-id']
  static override args = {
    id: Args.string({required: true, ignoreStdin: true, description: 'id, as `deprecations list` shows it'}),
  }

  async run(): Promise<void> {
    await this.output.document(deprecationNamed(this.args.id), deprecationDetailsView)
  }
}
