import {Failure, usage} from './failure.js'
import {type Environment, variable} from './io.js'
import {readPrivate} from './private-files.js'

/** Where a secret of a profile is kept. The profile names the place, never the secret. */

const limitMs = 30_000
const keyringLimitMs = 3_000
/** The name under which the keyring lists our entries. */
export const keyringService = 'frontdesk'

/** Checks the form of a source without reading it. */
export function checkedSource(from: string): string {
  if (from === 'keyring' || /^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+|command:.+)$/s.test(from)) return from
  throw usage(
    'The place of the secret must be env:NAME, file:PATH, command:LINE or keyring.',
    'A secret itself is never written into a profile.',
  )
}

/** Reads the secret of a profile. Absent or unreadable: a Failure that says where it was looked for. */
export async function readSecret(from: string, account: string, env: Environment): Promise<string> {
  const [kind = '', ...rest] = from.split(':')
  const place = rest.join(':')
  const secret = await secretAt(kind, place, account, env)
  if (secret === undefined || secret === '') throw missing(kind === 'keyring' ? 'the keyring' : `${kind} ${place}`)
  return secret
}

async function secretAt(kind: string, place: string, account: string, env: Environment): Promise<string | undefined> {
  switch (kind) {
    case 'env':
      return variable(env, place)
    case 'file':
      return readPrivate(place)?.replace(/\r?\n$/, '')
    case 'command':
      return commandOutput(place)
    case 'keyring':
      return fromKeyring(account)
    default:
      return undefined
  }
}

const missing = (place: string): Failure =>
  new Failure('denied', 'NoCredential', `There is no client secret in ${place}.`, {
    hints: ['Run `frontdesk login`, or set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET.'],
  })

/** The first line that a credential command prints. Its own messages go to the terminal. */
async function commandOutput(line: string): Promise<string> {
  const {spawn} = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const child = spawn(line, {shell: true, stdio: ['ignore', 'pipe', 'inherit'], timeout: limitMs})
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 65_536) output += text
    })
    child.on('error', (error) => reject(commandFailed(error.message)))
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output.split(/\r?\n/)[0] ?? '')
      else reject(commandFailed(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`))
    })
  })
}

const commandFailed = (why: string): Failure =>
  new Failure('denied', 'CredentialCommandFailed', `The credential command failed: ${why}.`, {
    hints: ['Run it by itself, or choose another place with `frontdesk profiles add`.'],
  })

interface Keyring {
  getPassword(): string | null
  setPassword(secret: string): void
  deletePassword(): boolean
}

/** The operating system's keyring, where its library is installed and a service answers. */
export async function keyringEntry(account: string): Promise<Keyring | undefined> {
  // A variable keeps bundlers and the type checker from asking for an optional package.
  const name = '@napi-rs/keyring'
  try {
    const {Entry} = (await import(name)) as {Entry: new (service: string, account: string) => Keyring}
    return new Entry(keyringService, account)
  } catch {
    return undefined
  }
}

async function fromKeyring(account: string): Promise<string | undefined> {
  const entry = await keyringEntry(account)
  if (!entry) {
    throw new Failure('denied', 'NoKeyring', 'The keyring of this system is not available.', {
      hints: ['Store the secret in a file with `frontdesk login`, or set FRONTDESK_CLIENT_SECRET.'],
    })
  }
  return withinLimit(() => entry.getPassword() ?? undefined)
}

/** A keyring may wait for a person to unlock it; a command does not. */
export async function withinLimit<T>(task: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(keyringSilent()), keyringLimitMs)
  })
  try {
    return await Promise.race([Promise.resolve().then(task), limit])
  } finally {
    clearTimeout(timer)
  }
}

const keyringSilent = (): Failure =>
  new Failure('denied', 'NoKeyring', 'The keyring did not answer within 3 seconds.', {
    hints: ['Unlock it, or set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET.'],
  })
