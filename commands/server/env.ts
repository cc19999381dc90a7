import {runningServer} from '../../src/cli/server/access.js'
import {serverEnvironment} from '../../src/cli/server/env.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerEnv extends ServerCommand<typeof ServerEnv> {
  static override shows = 'installation' as const
  static override summary = 'Show the variables that lead to the running server'
  static override description = 'The secret in it is that of the first API client of this project on this machine.'
  static override examples = ['eval "$(<%= config.bin %> server env --project-key demo)"']

  async run(): Promise<void> {
    const {local} = this
    const variables = await serverEnvironment(local, await runningServer(local.dataDir))
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}\n`)
    await this.output.answer(variables, lines.join(''))
  }
}
