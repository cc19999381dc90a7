import {setTimeout as pause} from 'node:timers/promises'
import {Failure} from '../../src/cli/process/failure.js'
import {WholeServerCommand} from '../../src/cli/server/server-command.js'
import {localServer, runningServer} from '../../src/client/local/local-server.js'

const [pauseMs, limitMs] = [50, 15_000]

export default class ServerStop extends WholeServerCommand<typeof ServerStop> {
  static override summary = 'Stop the local server'
  static override description = 'The server finishes its running requests. Ends with code 13 if no server runs.'
  static override examples = ['<%= config.bin %> server stop']

  async run(): Promise<void> {
    const {dataDir} = this.local
    const {pid} = await runningServer(dataDir)
    const stopped = await this.effect({
      at: 'machine',
      plan: () => [{pid}, `would stop process ${pid}`],
      act: () => stopServer(pid, dataDir),
    })
    if (stopped) await this.output.answer({stopped, pid}, `stopped process ${pid}`)
  }
}

/** Ends the server that holds the state, and waits until it is gone. */
async function stopServer(pid: number, dataDir: string): Promise<true> {
  process.kill(pid, 'SIGTERM')
  for (let waited = 0; waited < limitMs; waited += pauseMs) {
    if ((await localServer(dataDir))?.pid !== pid) return true
    await pause(pauseMs)
  }
  throw new Failure('localState', 'ServerNotStopped', `Process ${pid} did not end within ${limitMs / 1000} seconds.`, {
    hints: ['It may still be answering requests; repeat, or look at its log.'],
  })
}
