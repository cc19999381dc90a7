import {isSecretMember} from '../../domain/secret-members.js'
import {Failure} from '../process/failure.js'

/**
 * No flag takes a secret: argv is readable by every process of the machine and kept in the shell history. Such flags are
 * refused with a usage error that does not repeat the value.
 */
const insteadOf = new Map([
  ['password', 'Use --password-stdin, --password-file FILE, or answer the prompt.'],
  ['new-password', 'Use --new-password-stdin, --new-password-file FILE, or answer the prompt.'],
  ['current-password', 'Use --current-password-stdin, --current-password-file FILE, or answer the prompt.'],
  ['client-secret', 'Set FRONTDESK_CLIENT_SECRET, or store the secret with `frontdesk login`.'],
  ['secret', 'Set FRONTDESK_CLIENT_SECRET, or store the secret with `frontdesk login`.'],
  ['token', 'Set FRONTDESK_TOKEN, or use --token-file FILE or `-` to read it from stdin.'],
  ['token-value', 'Use --token-file FILE, or `-` to read it from stdin.'],
  ['access-token', 'Set FRONTDESK_TOKEN, or use --token-file FILE.'],
  ['refresh-token', 'Use --token-file FILE, --saved NAME, or `-` to read it from stdin.'],
  ['api-key', 'Use --api-key-file FILE or the environment.'],
])

/** Throws if a secret was put on the command line. `known` are the flags that the command really has. */
export function refuseSecretFlags(argv: readonly string[], known: ReadonlySet<string>): void {
  for (const argument of argv) {
    if (argument === '--') return
    const [, name = ''] = /^--([a-z-]+)(?:=|$)/.exec(argument) ?? []
    const instead = known.has(name) ? undefined : insteadOf.get(name)
    if (instead !== undefined) throw inArguments(`--${name} does not exist`, instead)
  }
}

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
  if (member !== undefined) throw inArguments(`${flag} holds '${member}'`)
}

/** Throws if a flag assigns a secret: `--set password=…`. */
export function refuseSecretPath(path: readonly string[], flag: string): void {
  const [first = ''] = path
  if (isSecretMember(first)) throw inArguments(`${flag} holds '${first}'`)
}

const inArguments = (
  what: string,
  instead = 'Use the --…-stdin and --…-file flags or the prompt, or put the JSON into @FILE or stdin (-).',
): Failure =>
  new Failure('usage', 'SecretInArguments', `${what}: a secret is never a flag value.`, {
    hints: ['Other processes and the shell history can read it; change it if it was real.', instead],
  })
