import {BaseCommand} from '../../src/cli/command/base-command.js'
import {sessionView} from '../../src/cli/output/views.js'
import {allSessions} from '../../src/cli/tokens/sessions.js'

export default class TokenList extends BaseCommand<typeof TokenList> {
  static override shows = 'installation' as const
  static override summary = 'List the saved sessions'
  static override description = 'Shows the target and scopes of each session, never its tokens.'
  static override examples = ['<%= config.bin %> token list']

  async run(): Promise<void> {
    const now = this.io.clock()
    const results = [...allSessions(this.folders.cache)].map(([name, session]) => ({
      name,
      flow: session.flow,
      place: session.place,
      scope: session.scope,
      expiresAt: new Date(session.expiresAt).toISOString(),
      expired: session.expiresAt <= now,
      refreshable: session.refreshToken !== undefined,
    }))
    await this.output.page({count: results.length, results}, sessionView)
  }
}
