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
    const name = /^--([a-z-]+)(?:=|$)/.exec(argument)?.[1]
    const instead = name === undefined || known.has(name) ? undefined : insteadOf.get(name)
    if (name !== undefined && instead !== undefined) {
      throw new Failure('usage', 'SecretInArguments', `--${name} does not exist: a secret is never a flag value.`, {
        hints: ['Other processes and the shell history can read it; change it if it was real.', instead],
      })
    }
  }
}
