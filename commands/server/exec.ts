import {resolve} from 'node:path'
import {Args} from '@oclif/core'
import {textFlag} from '../../src/cli/input/flags.js'
import {childEnvironment, runProgram, temporaryFolder} from '../../src/cli/server/exec.js'
import {fallbackFlags, fallbackOption} from '../../src/cli/server/fallback.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {shellWord} from '../../src/cli/target/command-line.js'
import {defined} from '../../src/domain/equal.js'

export default class ServerExec extends ServerCommand<typeof ServerExec> {
  static override shows = 'installation' as const
  static override summary = 'Run a program with a local server started for it'
  static override description =
    `Starts a server on a free port with a new state, runs the program with the environment variables that name the server
(FRONTDESK_API_URL, _AUTH_URL, _PROJECT_KEY, _CLIENT_ID, _CLIENT_SECRET, _DATA_DIR), stops the server, and ends with the
exit code of the program. The state is deleted afterwards unless --data names a folder.`
  static override examples = [
    '<%= config.bin %> server exec --seed demo --project-key demo -- printenv FRONTDESK_API_URL',
    '<%= config.bin %> server exec --data ./state -- npm test',
  ]
  static override args = {
    command: Args.string({
      multiple: true,
      required: true,
      ignoreStdin: true,
      description: 'a program and its arguments, after --',
    }),
  }
  static override flags = {
    seed: textFlag('demo|DIR', 'Seed pack for the project, if it does not exist yet; demo is built in.'),
    ...fallbackFlags,
  }

  async run(): Promise<void> {
    const {projectKey} = this.local
    await this.effect({
      at: 'machine',
      plan: () => [{projectKey, command: this.args.command}, `would run ${this.args.command.map(shellWord).join(' ')}`],
      act: () => this.#ran(projectKey),
    })
  }

  async #ran(projectKey: string): Promise<void> {
    const {seed, data} = this.flags
    const temporary = data === undefined ? temporaryFolder() : undefined
    const dataDir = temporary?.path ?? resolve(data ?? '')
    try {
      const {startServer} = await import('../../src/index.js')
      const fallback = fallbackOption(this.flags, this.io.env)
      const server = await startServer({
        dataDir,
        projectKey,
        ...fallback,
        ...defined({seedDir: seed}),
      })
      try {
        const own = {
          FRONTDESK_API_URL: server.apiUrl,
          FRONTDESK_AUTH_URL: server.authUrl,
          FRONTDESK_PROJECT_KEY: projectKey,
          FRONTDESK_CLIENT_ID: server.client.clientId,
          FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
          FRONTDESK_DATA_DIR: dataDir,
        }
        this.endAs(await runProgram(this.args.command, childEnvironment(this.io.env, own), this.io))
      } finally {
        await server.stop()
      }
    } finally {
      temporary?.remove()
    }
  }
}
