import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {choiceFlag, writeFlags} from '../../src/cli/input/flags.js'
import {Failure} from '../../src/cli/process/failure.js'
import {isAlive, type Revocable, revocation, revoke} from '../../src/cli/tokens/inspect.js'
import {savedSession} from '../../src/cli/tokens/sessions.js'
import {givenToken, tokenArgs, tokenFlags} from '../../src/cli/tokens/token-input.js'

export default class TokenRevoke extends BaseCommand<typeof TokenRevoke> {
  static override shows = 'installation' as const
  static override operations = [
    'revokeToken',
    {operations: ['introspectToken', 'requestToken'], when: '--verify'},
  ] as const
  static override summary = 'Revoke a token of your API client'
  static override description =
    'Revokes both tokens of a saved session, unless --hint names one. The service answers 200 even for unknown tokens; --verify checks that the token is inactive afterwards.'
  static override examples = [
    '<%= config.bin %> token issue --print raw --show-secret | <%= config.bin %> token revoke - --verify',
    '<%= config.bin %> token revoke --saved ada --verify',
  ]
  static override args = tokenArgs
  static override flags = {
    ...tokenFlags,
    hint: choiceFlag(['access_token', 'refresh_token'], 'The kind of the token.'),
    verify: Flags.boolean({summary: 'Check the token afterwards; end with code 9 if it is still active.'}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {flags} = this
    const tokens = await this.#tokens()
    const what = tokens.length > 1 ? 'the session' : 'the token'
    const client = await this.effect({
      at: 'target',
      plan: () => [{}, `would revoke ${what}`],
      act: async (write) => {
        const opened = await this.client()
        for (const {token, hint} of tokens) {
          await write({
            actions: ['revoke'],
            request: () => revoke(opened, token, hint),
            settle: revocation(opened, token, {hint, look: this.commandLine(['token', 'introspect'])}),
          })
        }
        return opened
      },
    })
    if (!client) return
    if (!flags.verify) {
      const told = `revoked ${what}, as the service says; --verify proves it`
      await this.output.answer({revoked: true, verified: false}, told)
      return
    }
    for (const one of tokens) if (await isAlive(client, one)) throw stillActive(one.hint)
    await this.output.answer({revoked: true, verified: true}, `revoked ${what}, and no longer active`)
  }

  /** The tokens to revoke: of a saved session both, since its access token outlives the refresh token. */
  async #tokens(): Promise<readonly Revocable[]> {
    const {saved, hint} = this.flags
    if (saved === undefined || hint !== undefined) {
      return [{token: await givenToken(this, this.args.source, hint === 'refresh_token' ? 'refresh' : 'access'), hint}]
    }
    const access = {token: await givenToken(this, this.args.source), hint: 'access_token'} as const
    const {refreshToken} = savedSession(this.folders.cache, saved, this.resolved)
    return refreshToken === undefined ? [access] : [{token: refreshToken, hint: 'refresh_token'}, access]
  }
}

const stillActive = (hint: Revocable['hint']): Failure =>
  new Failure('checkFailed', 'TokenStillActive', `The ${hint?.replace('_', ' ') ?? 'token'} is still active.`, {
    hints: ['It may belong to another API client.'],
  })
