/**
 * The one list of members and parameters that hold a secret. Operations and actions name theirs (`secrets`), and a test
 * holds both against each other. Logs, traces, refusals, tables of import errors and the command line read this list.
 */

/** `sent` by callers, `answered` by the service under a name that others use harmlessly, or part of a `path`. */
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

/** What the name of a secret looks like: members of other services and of later versions are masked unseen. */
const secretName = /password|secret|token|authorization|credential|apikey|api_key/i
const harmless: ReadonlySet<string> = new Set(['token_type', 'token_type_hint', 'invalidateOlderTokens'])

/** Whether a member of a body, a form or a draft holds a secret. */
export const isSecretMember = (name: string): boolean =>
  (kinds.has(name) && kinds.get(name) !== 'answered') || (secretName.test(name) && !harmless.has(name))

/** The same for answers and traces of them: a one-time token stands in `value`. */
export const isSecretAnswer = (name: string): boolean => kinds.get(name) === 'answered' || isSecretMember(name)

/** Whether a dotted path such as `actions[0].password` leads to or into a secret. */
export const isSecretPath = (path: string): boolean => path.split(/[.[\]]+/).some(isSecretMember)

/** `password-token=`, as paths of the API spell the parameter `passwordToken`. */
const secretSegments = [...kinds]
  .filter(([, kind]) => kind === 'path')
  .map(([name]) => name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`))

const secretSegment = new RegExp(`(?:${secretSegments.join('|')})\\s*=`, 'i')

/** Percent signs may be encoded themselves, by a client or by whoever passed its request on. */
const maxEncodings = 5

/** Decodes what is ASCII, never fails, and leaves the rest as it is. */
function decoded(path: string): string {
  let text = path
  for (let round = 0; round < maxEncodings; round += 1) {
    const next = text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (next === text) return text
    text = next
  }
  return text
}

/** Whether something is encoded still: what nobody decodes so often is hidden unseen. */
const isEncoded = (text: string): boolean => /%[0-7][0-9a-f]/i.test(text)

/** Whether a path holds a one-time token, or could, however it is encoded. */
export const holdsSecret = (path: string): boolean => secretSegment.test(decoded(path)) || isEncoded(decoded(path))

/** A path as logs and traces show it: nothing from a one-time token on. Control characters of it are encoded. */
export function pathWithoutSecrets(path: string): string {
  if (!holdsSecret(path)) return path
  const [before = ''] = path.split('?', 1)
  const text = decoded(before)
  const found = secretSegment.exec(text)
  if (!found && isEncoded(text)) return '…'
  const shown = found ? text.slice(0, found.index + found[0].length) : text
  return `${shown.replace(/[\x00-\x20\x7f]/g, encodeURIComponent)}…`
}
