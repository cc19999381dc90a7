import {BaseCommand} from '../../src/cli/command/base-command.js'
import {requiredArg} from '../../src/cli/input/flags.js'
import {usage} from '../../src/cli/process/failure.js'
import {expiryOf, issueToken} from '../../src/cli/tokens/issue.js'
import {savedSession, saveSession} from '../../src/cli/tokens/sessions.js'

export default class TokenRefresh extends BaseCommand<typeof TokenRefresh> {
  static override shows = 'installation' as const
  static override operations = ['requestToken'] as const
  static override summary = 'Renew the access token of a saved session'
  static override description = 'The refresh token stays the same; its lifetime starts again.'
  static override examples = ['<%= config.bin %> token refresh ada']
  static override args = {name: requiredArg('a saved session')}

  async run(): Promise<void> {
    const {name} = this.args
    const {cache} = this.folders
    const session = savedSession(cache, name, this.resolved)
    const {refreshToken} = session
    if (refreshToken === undefined) throw usage(`The session '${name}' has no refresh token.`, 'Issue a new token.')
    const expiresAt = await this.effect({
      at: 'machine',
      plan: () => [{name}, `would renew the access token of ${name}`],
      act: async () => {
        const token = await issueToken(await this.client(), {flow: 'refresh', refreshToken})
        const ends = expiryOf(token, this.io.clock())
        saveSession(cache, name, {...session, accessToken: token.access_token, scope: token.scope, expiresAt: ends})
        return ends
      },
    })
    if (expiresAt === undefined) return
    const until = new Date(expiresAt).toISOString()
    await this.output.answer({name, expiresAt: until}, `${name} is valid until ${until}`)
  }
}
