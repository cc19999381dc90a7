import {defaultFlag} from '../../src/cli/input/flags.js'
import {Failure} from '../../src/cli/process/failure.js'
import {type LocalState, ServerCommand} from '../../src/cli/server/server-command.js'
import {clientProjects, localClient, runningServer} from '../../src/client/local/local-server.js'

/**
 * The project whose variables are printed: the one that is named, or, where nobody named one, the only one that the server
 * has. Throws NoLocalClient for one whose first API client is not known here, or for a choice among several.
 */
async function chosenProject({dataDir, projectKey, isDefaultProject}: LocalState): Promise<string> {
  const known = await clientProjects(dataDir)
  const [only, another] = known
  if (known.includes(projectKey)) return projectKey
  if (isDefaultProject && only !== undefined && another === undefined) return only
  const message = `This machine does not have the first API client of '${projectKey}'.`
  const others = known.length === 0 ? [] : [`It has those of ${known.join(', ')}: name one with --project-key.`]
  const seed = isDefaultProject ? [] : [`To add the project, run: frontdesk server seed --project-key ${projectKey}`]
  throw new Failure('notFound', 'NoLocalClient', message, {hints: [...others, ...seed]})
}

/** The environment variables that make commands, and other programs, use the running server. */
async function serverEnvironment(local: LocalState, shell: Shell): Promise<Readonly<Record<string, string>>> {
  const {origin, publicOrigin = origin} = await runningServer(local.dataDir)
  const projectKey = await chosenProject(local)
  const client = await localClient(local.dataDir, projectKey)
  if (!client)
    throw new Failure('notFound', 'NoLocalClient', `The first API client of '${projectKey}' was removed.`, {})
  const prefix = shell === 'dotenv' ? 'CTP' : 'FRONTDESK'
  return {
    [`${prefix}_API_URL`]: publicOrigin,
    [`${prefix}_AUTH_URL`]: publicOrigin,
    [`${prefix}_PROJECT_KEY`]: projectKey,
    [`${prefix}_CLIENT_ID`]: client.clientId,
    [`${prefix}_CLIENT_SECRET`]: client.clientSecret,
    ...(shell === 'dotenv' ? {CTP_SCOPES: `manage_project:${projectKey}`} : {}),
  }
}

const shells = ['sh', 'fish', 'powershell', 'cmd', 'dotenv'] as const
type Shell = (typeof shells)[number]

/** Brackets of an IPv6 address would be a pattern. No value has quotes: they are URLs, keys and base64url. */
const quoted = (value: string): string => (/^[\w:/.-]*$/.test(value) ? value : `'${value}'`)

const settings: Readonly<Record<Shell, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}=${quoted(value)}`,
  fish: (name, value) => `set -gx ${name} ${quoted(value)}`,
  powershell: (name, value) => `$env:${name} = '${value}'`,
  cmd: (name, value) => `set "${name}=${value}"`,
  dotenv: (name, value) => `${name}=${value}`,
}

export default class ServerEnv extends ServerCommand<typeof ServerEnv> {
  static override summary = 'Print the environment variables that make commands use the running server'
  static override description =
    'They include the secret of the first API client that this machine created for the project.'
  static override examples = [
    'eval "$(<%= config.bin %> server env)"',
    '<%= config.bin %> server env --shell fish | source',
    '<%= config.bin %> server env --shell dotenv > .env',
    '<%= config.bin %> server env --shell powershell | Out-String | Invoke-Expression',
  ]

  static override flags = {
    shell: defaultFlag(
      shells,
      'sh',
      'The shell whose syntax is printed: sh (also bash and zsh), fish, powershell or cmd; dotenv is a file for login --from and SDKs, with CTP_ names.',
    ),
  }

  async run(): Promise<void> {
    const variables = await serverEnvironment(this.local, this.flags.shell)
    const lines = Object.entries(variables).map(([name, value]) => `${settings[this.flags.shell](name, value)}\n`)
    await this.output.answer(variables, lines.join(''))
  }
}
