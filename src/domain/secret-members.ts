import {spelt} from './equal.js'

/**
 * The one list of members and parameters that hold a secret. Operations and actions declare theirs (`secrets`), and a
 * test compares both. Logs, traces, errors, tables of import errors and the command line mask by this list.
 */

/** `sent` by callers; `answered` by the service under a name that is harmless elsewhere; or part of a `path`. */
export const secretMembers = {
  password: 'sent',
  passwordHash: 'sent',
  currentPassword: 'sent',
  newPassword: 'sent',
  tokenValue: 'sent',
  token: 'sent',
  refresh_token: 'sent',
  access_token: 'sent',
  secret: 'sent',
  authorizationHeader: 'sent',
  value: 'answered',
  passwordToken: 'path',
  emailToken: 'path',
} as const satisfies Readonly<Record<string, 'sent' | 'answered' | 'path'>>

export type SecretMember = keyof typeof secretMembers

const kinds: ReadonlyMap<string, string> = new Map(Object.entries(secretMembers))

/** The likely names of secrets, so that members of other services and of later versions are masked as well. */
const secretName = /password|secret|token|authorization|credential|api[-_]?key/i
const harmless: ReadonlySet<string> = new Set([
  ...['token_type', 'token_type_hint', 'invalidateOlderTokens'],
  ...['accessTokenValiditySeconds', 'refreshTokenValiditySeconds'],
])

/** Whether a member of a body, a form or a draft holds a secret. */
export const isSecretMember = (name: string): boolean =>
  (kinds.has(name) && kinds.get(name) !== 'answered') || (secretName.test(name) && !harmless.has(name))

/** Whether a member of a reply holds a secret: as in requests, or `value`, which may be a one-time token. */
export const isSecretAnswer = (name: string): boolean => kinds.get(name) === 'answered' || isSecretMember(name)

/** Whether a dotted path such as `actions[0].password` leads to or into a secret. */
export const isSecretPath = (path: string): boolean => path.split(/[.[\]]+/).some(isSecretMember)

/** The segments of paths that precede a secret: `password-token=` for the parameter `passwordToken`. */
const secretSegments = [...kinds].filter(([, kind]) => kind === 'path').map(([name]) => spelt(name, '-'))

const secretSegment = new RegExp(`(?:${secretSegments.join('|')})\\s*=`, 'i')
const segmentValue = new RegExp(`((?:${secretSegments.join('|')})\\s*=)[^'"\\s]+`, 'gi')

/** A text that repeats a part of a path, as errors do, with one-time tokens in it replaced. */
export const withoutSegments = (text: string, mask: string): string => text.replace(segmentValue, `$1${mask}`)

/** Rounds of decoding: percent signs may be encoded themselves, by a client or a proxy. */
const maxEncodings = 5

/** Decodes percent-encoded ASCII, leaves the rest, and never throws. */
function decoded(path: string): string {
  let text = path
  for (let round = 0; round < maxEncodings; round += 1) {
    const next = text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (next === text) return text
    text = next
  }
  return text
}

/** Whether a text is still percent-encoded after all rounds: it is then masked without a look. */
const isEncoded = (text: string): boolean => /%[0-7][0-9a-f]/i.test(text)

/** Whether a path holds or could hold a one-time token, however it is encoded. */
export const holdsSecret = (path: string): boolean => secretSegment.test(decoded(path)) || isEncoded(decoded(path))

/** A path for logs and traces: cut before a one-time token, with control characters encoded. */
export function pathWithoutSecrets(path: string): string {
  if (!holdsSecret(path)) return path
  const [before = ''] = path.split('?', 1)
  const text = decoded(before)
  const found = secretSegment.exec(text)
  if (!found && isEncoded(text)) return '…'
  const shown = found ? text.slice(0, found.index + found[0].length) : text
  return `${shown.replace(/[\x00-\x20\x7f]/g, encodeURIComponent)}…`
}
