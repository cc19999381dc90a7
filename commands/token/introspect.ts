import {assertAll, parseAssertion} from '../../src/cli/assertions.js'
import {BaseCommand} from '../../src/cli/base-command.js'
import {readFlags} from '../../src/cli/flags.js'
import {givenToken, tokenArgs, tokenFlags} from '../../src/cli/tokens/given.js'
import {introspect} from '../../src/cli/tokens/inspect.js'
import {introspectionView} from '../../src/cli/views.js'

export default class TokenIntrospect extends BaseCommand<typeof TokenIntrospect> {
  static override summary = 'Tell whether a token is active, and what it opens'
  static override description = 'An inactive token is an answer, not a failure: the command ends with 0.'
  static override examples = [
    '<%= config.bin %> token introspect --saved ada',
    '<%= config.bin %> token issue --print raw | <%= config.bin %> token introspect - --json',
  ]
  static override args = tokenArgs
  static override flags = {...tokenFlags, assert: readFlags.assert}

  async run(): Promise<void> {
    const {io, ask, resolved, flags, folders} = this
    const assertions = (flags.assert ?? []).map(parseAssertion)
    const token = await givenToken({source: this.args.source, flags, io, ask, cache: folders.cache, resolved})
    const answer = await introspect(await this.client(), token)
    assertAll(answer, assertions)
    await this.output.document(answer, introspectionView)
  }
}
