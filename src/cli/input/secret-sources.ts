import {readPrivate} from '../../files/private-file.js'
import {Failure, usage} from '../process/failure.js'
import {type Environment, variable} from '../process/io.js'

/** Sources of a profile's secret. The profile names the source, never the secret. */

const commandLimitMs = 30_000
const maxOutput = 65_536

/** Checks the syntax of a source without reading it. */
export function checkedSource(from: string): string {
  if (/^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+|command:.+)$/s.test(from)) return from
  throw usage(
    'The place of the secret must be env:NAME, file:PATH or command:LINE.',
    'A secret itself is never written into a profile.',
  )
}

/** A secret of a target. Throws usage for one with what editors, shells and CI services leave around it. */
export function checkedBare(secret: string, name: string): string {
  const why = /[\r\n]/.test(secret)
    ? `${/[\r\n]$/.test(secret) ? 'ends with' : 'has'} a line break`
    : secret.startsWith(byteOrderMark)
      ? 'begins with a byte order mark'
      : `${/^\s/.test(secret) ? 'begins' : 'ends'} with a blank`
  if (/[\r\n]|^\s|\s$/.test(secret)) throw usage(`${name} ${why}.`, 'Take it out: no secret has one.')
  return secret
}

/** What editors of Windows begin a file with. */
export const byteOrderMark = '\uFEFF'

/** Reads the secret of a profile. Absent or unreadable: a Failure that says where it was looked for. */
export async function readSecret(from: string, env: Environment): Promise<string> {
  const [kind = '', ...rest] = from.split(':')
  const location = rest.join(':')
  const secret = await secretAt(kind, location, env)
  if (secret === undefined || secret === '') throw missing(`${kind} ${location}`)
  return checkedBare(secret, kind === 'command' ? 'What the credential command prints' : location)
}

async function secretAt(kind: string, location: string, env: Environment): Promise<string | undefined> {
  switch (kind) {
    case 'env':
      return variable(env, location)
    case 'file':
      return readPrivate(location, {followLinks: true})?.replace(/(\r\n|\r|\n)$/, '')
    case 'command':
      return commandOutput(location)
    default:
      return undefined
  }
}

const missing = (location: string): Failure =>
  new Failure('denied', 'NoCredential', `There is no client secret in ${location}.`, {
    hints: [
      location.startsWith('env ')
        ? `Set ${location.slice('env '.length)}, which the profile names for its secret, or run \`frontdesk login\`.`
        : 'Put it there, or run `frontdesk login`.',
    ],
  })

/**
 * The first line that a credential command prints. Its stderr goes to the terminal. A timeout destroys the pipe, since a
 * grandchild may outlive the command and keep it open.
 */
export async function commandOutput(line: string, limitMs = commandLimitMs): Promise<string> {
  const {spawn} = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const child = spawn(line, {shell: true, stdio: ['ignore', 'pipe', 'inherit']})
    const {stdout} = child
    const timer = setTimeout(() => {
      child.kill()
      stdout.destroy()
      reject(commandFailed(`it did not end within ${limitMs / 1000} seconds`))
    }, limitMs)
    let output = ''
    stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < maxOutput) output += text
    })
    child.on('error', (error) => reject(commandFailed(error.message)))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(output.split(/\r?\n/)[0] ?? '')
      else reject(commandFailed(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`))
    })
  })
}

const commandFailed = (why: string): Failure =>
  new Failure('denied', 'CredentialCommandFailed', `The credential command failed: ${why}.`, {
    hints: ['Run it by itself, or choose another place with `frontdesk login NAME --secret-from PLACE`.'],
  })
