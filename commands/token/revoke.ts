import {revokeToken} from '../../src/api/oauth/operations.js'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {choiceFlag, switchFlag, writeFlags} from '../../src/cli/input/flags.js'
import {Failure} from '../../src/cli/process/failure.js'
import {introspect, issueToken} from '../../src/cli/tokens/issue.js'
import {savedSession} from '../../src/cli/tokens/sessions.js'
import {tokenArgs, tokenFlags, tokenFromInput} from '../../src/cli/tokens/token-input.js'
import type {Client} from '../../src/client/client.js'
import type {Settlement} from '../../src/client/settle.js'
import {ApiError} from '../../src/domain/errors.js'

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
    verify: switchFlag('Check the token afterwards; end with code 9 if it is still active.'),
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
        const look = this.commandLine(['token', 'introspect'])
        for (const one of tokens) {
          const request = () => revoke(opened, one)
          await write({actions: ['revoke'], request, settle: revocation(opened, one, look)})
        }
        return opened
      },
    })
    if (!client) return
    if (!flags.verify) {
      const told = `revoked ${what}; --verify would check that it is inactive`
      await this.output.answer({revoked: true, verified: false}, told)
      return
    }
    for (const one of tokens) if (await isAlive(client, one)) throw stillActive(one.hint)
    await this.output.answer({revoked: true, verified: true}, `revoked ${what}; it is no longer active`)
  }

  /** The tokens to revoke: of a saved session both, since its access token outlives the refresh token. */
  async #tokens(): Promise<readonly Revocable[]> {
    const {saved, hint} = this.flags
    if (saved === undefined || hint !== undefined) {
      return [
        {token: await tokenFromInput(this, this.args.source, hint === 'refresh_token' ? 'refresh' : 'access'), hint},
      ]
    }
    const access = {token: await tokenFromInput(this, this.args.source), hint: 'access_token'} as const
    const {refreshToken} = savedSession(this.folders.cache, saved, this.resolved)
    return refreshToken === undefined ? [access] : [{token: refreshToken, hint: 'refresh_token'}, access]
  }
}

const stillActive = (hint: Revocable['hint']): Failure =>
  new Failure('checkFailed', 'TokenStillActive', `The ${hint?.replace('_', ' ') ?? 'token'} is still active.`, {
    hints: ['It may belong to another API client.'],
  })

interface Revocable {
  readonly token: string
  readonly hint: 'access_token' | 'refresh_token' | undefined
}

async function revoke(client: Client, {token, hint}: Revocable): Promise<void> {
  await client.form(revokeToken, {token, token_type_hint: hint})
}

/** Refresh tokens name their project; introspection calls them inactive while they live (decision 29). */
const isAccess = ({token, hint}: Revocable): boolean =>
  hint === 'access_token' || (hint === undefined && !token.includes(':'))

/** Settles a revocation by introspection, where that tells; revoking twice does no harm. */
const revocation = (client: Client, one: Revocable, look: string): Settlement<void> => ({
  fenced: true,
  look,
  read: async () => {
    if (!isAccess(one))
      return {open: 'The token may be revoked: introspection does not cover refresh tokens.', harmless: true}
    const {active} = await introspect(client, one.token)
    return active ? {unchanged: 'The token is still active.'} : {happened: undefined}
  },
})

/** Whether a token still opens something. A refresh token is tried: introspection knows access tokens only. */
async function isAlive(client: Client, one: Revocable): Promise<boolean> {
  if (isAccess(one)) return (await introspect(client, one.token)).active
  try {
    const {access_token: made} = await issueToken(client, {flow: 'refresh', refreshToken: one.token})
    await revoke(client, {token: made, hint: 'access_token'})
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_grant') return false
    throw error
  }
}
