import {runningServer} from '../../src/cli/server/access.js'
import {serverEnvironment} from '../../src/cli/server/env.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerEnv extends ServerCommand<typeof ServerEnv> {
  static override shows = 'installation' as const
  static override summary = 'Print the environment variables that make commands use the running server'
  static override description =
    'They include the secret of the first API client that this machine created for the project.'
  static override examples = ['eval "$(<%= config.bin %> server env --project-key demo)"']

  async run(): Promise<void> {
    const {local} = this
    const variables = await serverEnvironment(local, await runningServer(local.dataDir))
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}\n`)
    await this.output.answer(variables, lines.join(''))
  }
}
