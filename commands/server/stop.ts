import {runningServer, stopServer} from '../../src/cli/server/access.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerStop extends ServerCommand<typeof ServerStop> {
  static override shows = 'installation' as const
  static override summary = 'Stop the local server'
  static override description = 'The server finishes its running requests. Ends with code 13 if no server runs.'
  static override examples = ['<%= config.bin %> server stop']

  async run(): Promise<void> {
    const {dataDir} = this.local
    const running = await runningServer(dataDir)
    const stopped = await this.effect({
      at: 'machine',
      plan: () => [{pid: running.pid}, `would stop process ${running.pid}`],
      act: () => stopServer(dataDir),
    })
    if (stopped) await this.output.answer({stopped: true, pid: stopped.pid}, `stopped process ${stopped.pid}`)
  }
}
