import {isSecretMember} from '../../domain/secret-members.js'
import {Failure} from '../process/failure.js'

/** Not searched: users choose the names of custom fields, so a name proves nothing. */
const freelyNamed = 'custom'

const masked = '***'

/** A copy of a document with its secrets masked, at any depth. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      isSecretMember(name) ? masked : name === freelyNamed ? entry : withoutSecrets(entry),
    ]),
  )
}

function secretIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, entry] of Object.entries(value)) {
    if (isSecretMember(name) && typeof entry === 'string') return name
    const inner = name === freelyNamed ? undefined : secretIn(entry)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Throws SecretInArguments if a document that was given inline as a flag value contains a secret. */
export function refuseSecretsInline(document: unknown, flag: string): void {
  const member = secretIn(document)
  if (member !== undefined) throw inArguments(flag, member)
}

/** Throws if a flag assigns a secret: `--set password=…`. */
export function refuseSecretPath(path: readonly string[], flag: string): void {
  const [first = ''] = path
  if (isSecretMember(first)) throw inArguments(flag, first)
}

const inArguments = (flag: string, member: string): Failure =>
  new Failure('usage', 'SecretInArguments', `${flag} holds '${member}': a secret is never a flag value.`, {
    hints: [
      'Other processes and the shell history can read it; change it if it was real.',
      'Use the --…-stdin and --…-file flags or the prompt, or put the JSON into @FILE or stdin (-).',
    ],
  })
