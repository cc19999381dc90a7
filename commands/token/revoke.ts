import {Flags} from '@oclif/core'
import {Failure} from '../../src/cli/failure.js'
import {writeFlags} from '../../src/cli/flags.js'
import type {Calls} from '../../src/cli/operations.js'
import {tokenArgs, tokenFlags} from '../../src/cli/tokens/given.js'
import {introspect, revocation, revoke} from '../../src/cli/tokens/inspect.js'
import {TokenCommand} from '../../src/cli/tokens/token-command.js'

export default class TokenRevoke extends TokenCommand<typeof TokenRevoke> {
  static override operations: Calls = ['revokeToken', {operations: ['introspectToken'], when: '--verify'}]
  static override summary = 'Revoke a token of the own API client'
  static override description =
    'The service answers 200 also for tokens that it does not know; --verify asks afterwards whether an access token is dead.'
  static override examples = ['<%= config.bin %> token issue --print raw | <%= config.bin %> token revoke - --verify']
  static override args = tokenArgs
  static override flags = {
    ...tokenFlags,
    hint: Flags.option({options: ['access_token', 'refresh_token'] as const, summary: 'The kind of the token.'})(),
    verify: Flags.boolean({summary: 'Introspect afterwards; a token that is still active ends with code 9.'}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {flags} = this
    const token = await this.readToken(flags.hint === 'refresh_token' ? 'refresh' : 'access')
    if (this.dryRun) {
      await this.output.answer({dryRun: true}, 'would revoke the token')
      return
    }
    const client = await this.client()
    await this.write({
      actions: ['revoke'],
      request: () => revoke(client, token, flags.hint),
      settle: revocation(client, token, {hint: flags.hint, look: this.again(['token', 'introspect'])}),
    })
    if (!flags.verify) {
      await this.output.answer({revoked: true, verified: false}, 'revoked, as the service says; --verify proves it')
      return
    }
    const {active} = await introspect(client, token)
    if (active)
      throw new Failure('checkFailed', 'TokenStillActive', 'The token is still active.', {
        hints: ['It may belong to another API client.'],
      })
    await this.output.answer({revoked: true, verified: true}, 'revoked, and no longer active')
  }
}
