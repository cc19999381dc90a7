import {ServerCommand} from '../../src/cli/server/server-command.js'
import {outboxView} from '../../src/cli/server/views.js'
import {administerServer} from '../../src/client/local/admin.js'
import {defined} from '../../src/domain/equal.js'
import {linkWith} from '../../src/domain/token-link.js'

export default class ServerOutbox extends ServerCommand<typeof ServerOutbox> {
  static override shows = 'people' as const
  static override summary = 'Show the reset and verification tokens that the running server has made'
  static override description =
    `Stands in for the mail that a shop would send: the last two hundred tokens, the newest first, as links where the server or
its profile has --reset-link and --verify-link. The server keeps them in memory only.`
  static override examples = ['<%= config.bin %> server outbox', '<%= config.bin %> server outbox -o ids']

  async run(): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {tokens, resetLink, verifyLink} = await administerServer(dataDir, 'listTokens', {body: {projectKey}})
    const pages = {password: resetLink, email: verifyLink}
    const results = tokens.map((token) => ({...token, ...defined({link: linkWith(pages[token.purpose], token.value)})}))
    await this.output.page({count: results.length, results}, outboxView)
  }
}
