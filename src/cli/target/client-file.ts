import {parseEnv} from 'node:util'
import {isSameAddress} from '../../client/place.js'
import {isObject} from '../../domain/equal.js'
import {textFlag} from '../input/flags.js'
import {readAll} from '../input/secret-inputs.js'
import {checkedBare} from '../input/secret-sources.js'
import {jsonIn} from '../output/fields.js'
import {usage} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {readText} from '../process/system-errors.js'
import {checkedProjectKey, checkedUrl} from './addresses.js'
import type {Profile} from './profiles.js'

type ClientFile = Awaited<ReturnType<typeof clientFile>>

export const fromFlag = {
  from: textFlag('FILE', 'Read address, project, API client and secret from a .env file or JSON; - is stdin.', {
    exclusive: [
      ...['project-key', 'api-url', 'auth-url', 'client-id', 'local', 'data'],
      ...['secret-from', 'secret-stdin', 'secret-file', 'no-secret'],
    ],
  }),
}

/** What each value may be called, the vendor's own name first. */
const names = {
  'project-key': ['CTP_PROJECT_KEY', 'projectKey'],
  'client-id': ['CTP_CLIENT_ID', 'clientId'],
  secret: ['CTP_CLIENT_SECRET', 'clientSecret', 'secret'],
  'auth-url': ['CTP_AUTH_URL', 'authUrl', 'authHost', 'oauthUrl', 'oauthHost'],
  'api-url': ['CTP_API_URL', 'apiUrl', 'apiHost', 'host'],
  scopes: ['CTP_SCOPES', 'scopes', 'scope'],
} as const
/** Names that stand for something else among the variables of a program. */
const common = ['secret', 'host', 'scope']

/** A name as it is compared: case, `_` and `-` do not count, nor that it is one of `server env`. */
const folded = (name: string): string =>
  name
    .replace(/[_-]/g, '')
    .toLowerCase()
    .replace(/^frontdesk/, '')

function jsonObject(text: string, origin: string): Record<string, unknown> {
  const value = jsonIn(text)
  if (isObject(value)) return value
  throw usage(`${origin} is not a JSON object.`, 'Download it again, or use the .env form.')
}

/**
 * Reads the credentials of a new API client as the Merchant Center offers them for download: a .env file or JSON, `-` is
 * stdin. What flags also say has their names. Throws usage that names what is missing.
 */
export async function clientFile(path: string, io: Io) {
  const origin = path === '-' ? 'stdin' : path
  const text = (path === '-' ? await readAll(io) : readText(path, 'Check --from.'))
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
  if (/[\0\uFFFD]/.test(text)) throw usage(`${origin} is no text in UTF-8.`, 'Save it as plain UTF-8.')
  const isJson = text.trimStart().startsWith('{')
  // Node takes a line without `=` for the beginning of the next one.
  const lines = text.replace(/^[^=#'"`\n]+$/gm, '')
  const found = Object.entries(isJson ? jsonObject(text, origin) : (parseEnv(lines) as Record<string, unknown>))
  const values = new Map(found.map(([name, value]) => [folded(name), value]))
  const missing: string[] = []
  const value = (name: keyof typeof names): string => {
    const [inEnv, ...inJson] = names[name]
    const given = [inEnv, ...inJson.filter((one) => isJson || !common.includes(one))]
      .map((one) => values.get(folded(one)))
      .find((one) => one !== undefined)
    const text = Array.isArray(given) ? given.join(' ') : typeof given === 'string' ? given : ''
    if (text.trim() === '' && name !== 'scopes') missing.push(isJson ? inJson[0] : inEnv)
    return text
  }
  const [projectKey, clientId, secret] = [value('project-key'), value('client-id'), value('secret')]
  const [apiUrl, authUrl, scopes] = [value('api-url'), value('auth-url'), value('scopes')]
  if (missing.length > 0)
    throw usage(
      `${origin} lacks ${missing.join(', ')}.`,
      'Take the .env or JSON file that the Merchant Center offers with a new API client.',
    )
  checkedBare(secret, `The secret in ${origin}`)
  return {
    secret,
    flags: {
      'project-key': checkedProjectKey(projectKey, `The project key in ${origin}`),
      'api-url': checkedUrl(apiUrl, `The address of the API in ${origin}`),
      'auth-url': checkedUrl(authUrl, `The address of the authorization in ${origin}`),
      'client-id': clientId.trim(),
      scopes: scopes.replace(/[\s,]+/g, ' ').trim() || undefined,
    },
  }
}

/** Throws usage for a file of another place than the profile's, whose secret alone it may replace. */
export function checkPlaceOf({flags}: ClientFile, name: string, {projectKey, apiUrl, authUrl}: Profile): void {
  const isSame = isSameAddress(flags['api-url'], apiUrl) && isSameAddress(flags['auth-url'], authUrl ?? apiUrl)
  if (isSame && flags['project-key'] === projectKey) return
  throw usage(
    `The file is of another project or address than profile '${name}'.`,
    'Add --replace to make the profile anew, or choose another name.',
  )
}
