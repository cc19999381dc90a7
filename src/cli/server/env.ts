import {clientProjects, type LocalServer, localClient} from '../../client/local/local-server.js'
import {Failure} from '../process/failure.js'
import type {LocalState} from './server-command.js'

/**
 * The project whose variables are printed: the one that is named, or, where nobody named one, the only one that the server
 * has. Throws NoLocalClient for one whose first API client is not known here, or for a choice among several.
 */
async function chosenProject({dataDir, projectKey, isDefaultProject}: LocalState): Promise<string> {
  const known = await clientProjects(dataDir)
  const [only, another] = known
  if (known.includes(projectKey)) return projectKey
  if (isDefaultProject && only !== undefined && another === undefined) return only
  const message = `The first API client of '${projectKey}' is not known here.`
  const others = known.length === 0 ? [] : [`It is known of ${known.join(', ')}: name one with --project-key.`]
  const seed = isDefaultProject ? [] : [`To add the project, run: frontdesk server seed --project-key ${projectKey}`]
  throw new Failure('notFound', 'NoLocalClient', message, {hints: [...others, ...seed]})
}

/** The environment variables that make commands, and other programs, use a running server. */
export async function serverEnvironment(
  local: LocalState,
  {origin, publicOrigin = origin}: LocalServer,
): Promise<Readonly<Record<string, string>>> {
  const projectKey = await chosenProject(local)
  const client = await localClient(local.dataDir, projectKey)
  if (!client) throw new Failure('notFound', 'NoLocalClient', `The first API client of '${projectKey}' has gone.`, {})
  return {
    FRONTDESK_API_URL: publicOrigin,
    FRONTDESK_AUTH_URL: publicOrigin,
    FRONTDESK_PROJECT_KEY: projectKey,
    FRONTDESK_CLIENT_ID: client.clientId,
    FRONTDESK_CLIENT_SECRET: client.clientSecret,
  }
}

export const shells = ['sh', 'fish', 'powershell', 'cmd'] as const
export type Shell = (typeof shells)[number]

/** Brackets of an IPv6 address would be a pattern. No value has quotes: they are URLs, keys and base64url. */
const quoted = (value: string): string => (/^[\w:/.-]*$/.test(value) ? value : `'${value}'`)

/** How each shell sets a variable. */
const settings: Readonly<Record<Shell, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}=${quoted(value)}`,
  fish: (name, value) => `set -gx ${name} ${quoted(value)}`,
  powershell: (name, value) => `$env:${name} = '${value}'`,
  cmd: (name, value) => `set "${name}=${value}"`,
}

/** Lines that set the variables in a shell. */
export const shellLines = (variables: Readonly<Record<string, string>>, shell: Shell): string =>
  Object.entries(variables)
    .map(([name, value]) => `${settings[shell](name, value)}\n`)
    .join('')
