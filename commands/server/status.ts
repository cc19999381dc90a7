import {Flags} from '@oclif/core'
import {localServer, serverDetails} from '../../src/cli/server/access.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerStatus extends ServerCommand<typeof ServerStatus> {
  static override summary = 'Tell whether the local server runs, and where'
  static override description = 'Ends with code 13 if none runs. --details asks the server what it hosts.'
  static override examples = ['<%= config.bin %> server status --json']
  static override flags = {details: Flags.boolean({summary: 'Ask the server itself, too.'})}

  async run(): Promise<void> {
    const {dataDir} = this.local
    const server = await localServer(dataDir)
    if (!server) {
      await this.output.answer({running: false, dataDir}, `not running on ${dataDir}`)
      this.endWith('localState')
      return
    }
    const {pid, origin} = server
    const details = this.flags.details ? await serverDetails(dataDir, server) : {}
    const answer = {running: true, pid, apiUrl: origin, authUrl: origin, dataDir, ...details}
    await this.output.answer(answer, `running at ${origin} (process ${pid}) on ${dataDir}`)
  }
}
