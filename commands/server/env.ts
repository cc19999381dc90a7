import {Flags} from '@oclif/core'
import {runningServer} from '../../src/cli/server/access.js'
import {serverEnvironment, shellLines, shells} from '../../src/cli/server/env.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerEnv extends ServerCommand<typeof ServerEnv> {
  static override shows = 'installation' as const
  static override summary = 'Print the environment variables that make commands use the running server'
  static override description =
    'They include the secret of the first API client that this machine created for the project.'
  static override examples = [
    'eval "$(<%= config.bin %> server env --project-key demo)"',
    '<%= config.bin %> server env --shell fish | source',
    '<%= config.bin %> server env --shell powershell | Out-String | Invoke-Expression',
  ]

  static override flags = {
    shell: Flags.option({
      options: shells,
      default: 'sh' as const,
      summary: 'The shell whose syntax is printed: sh (also bash and zsh), fish, powershell or cmd.',
    })(),
  }

  async run(): Promise<void> {
    const {local} = this
    const variables = await serverEnvironment(local, await runningServer(local.dataDir))
    await this.output.answer(variables, shellLines(variables, this.flags.shell))
  }
}
