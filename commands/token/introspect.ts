import {BaseCommand} from '../../src/cli/command/base-command.js'
import {Assertions} from '../../src/cli/input/assertions.js'
import {readFlags} from '../../src/cli/input/flags.js'
import {introspectionView} from '../../src/cli/output/views.js'
import {introspect} from '../../src/cli/tokens/issue.js'
import {tokenArgs, tokenFlags, tokenFromInput} from '../../src/cli/tokens/token-input.js'

export default class TokenIntrospect extends BaseCommand<typeof TokenIntrospect> {
  static override shows = 'installation' as const
  static override operations = ['introspectToken'] as const
  static override summary = 'Show whether a token is active, and its scopes'
  static override description = 'Ends with code 0, also for an inactive token.'
  static override examples = [
    '<%= config.bin %> token introspect --saved ada',
    '<%= config.bin %> token issue --print raw --show-secret | <%= config.bin %> token introspect - --json',
  ]
  static override args = tokenArgs
  static override flags = {...tokenFlags, assert: readFlags.assert}

  async run(): Promise<void> {
    const {flags} = this
    const assertions = new Assertions(flags.assert, this)
    const token = await tokenFromInput(this, this.args.source)
    const answer = await introspect(await this.client(), token)
    await assertions.check(answer)
    await this.output.document(answer, introspectionView)
  }
}
