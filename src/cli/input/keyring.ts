import {createRequire} from 'node:module'
import {Failure} from '../process/failure.js'

/**
 * The operating system's keyring, if the optional package is installed. It is called in a child process: a call may
 * block until a person unlocks the keyring, and only a process can be killed then.
 */

const packageName = '@napi-rs/keyring'
/** The name under which the keyring lists our entries. */
const service = 'frontdesk'
const limitMs = 3_000

type Request =
  | {readonly operation: 'get' | 'delete'; readonly account: string}
  | {readonly operation: 'set'; readonly account: string; readonly secret: string}

/** Secrets travel through pipes. */
const program = `
let text = ''
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const {module, service, operation, account, secret} = JSON.parse(text)
  const {Entry} = require(module)
  const entry = new Entry(service, account)
  const result =
    operation === 'get' ? entry.getPassword() : operation === 'set' ? entry.setPassword(secret) : entry.deletePassword()
  process.stdout.write(JSON.stringify({result: result ?? null}))
})
`

function installedModule(): string {
  try {
    return createRequire(import.meta.url).resolve(packageName)
  } catch {
    throw unavailable(`The keyring needs the package ${packageName}, which is not installed`)
  }
}

const unavailable = (why: string): Failure =>
  new Failure('localState', 'NoKeyring', `${why}.`, {
    hints: [
      `Run: npm install --global ${packageName}`,
      'Or keep the secret in a file: frontdesk login NAME --in-file; in CI, set FRONTDESK_CLIENT_ID and _SECRET.',
    ],
  })

const failed = (why: string): Failure =>
  new Failure('localState', 'KeyringFailed', `The keyring ${why}.`, {
    hints: ['Unlock it, or keep the secret in a file: frontdesk login NAME --in-file.'],
  })

/** `module`: the file of the package. */
async function ask(request: Request, module = installedModule()): Promise<unknown> {
  const {spawn} = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', program], {stdio: 'pipe'})
    const timer = setTimeout(() => {
      reject(failed('did not answer within 3 seconds'))
      child.kill('SIGKILL')
    }, limitMs)
    let output = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify({module, service, ...request}))
    child.once('error', (error) => reject(failed(`cannot be asked: ${error.message}`)))
    child.once('close', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve((JSON.parse(output) as {result: unknown}).result)
      else reject(failed(`refused: ${/^\w*Error: (.*)$/m.exec(complaint)?.[1] ?? `code ${code}`}`))
    })
  })
}

/** The secret of an account; undefined if there is none. Throws if there is no keyring, or if it does not answer. */
export async function keyringSecret(account: string, module?: string): Promise<string | undefined> {
  const secret = await ask({operation: 'get', account}, module)
  return typeof secret === 'string' ? secret : undefined
}

export async function keepInKeyring(account: string, secret: string, module?: string): Promise<void> {
  await ask({operation: 'set', account, secret}, module)
}

export async function forgetInKeyring(account: string, module?: string): Promise<void> {
  await ask({operation: 'delete', account}, module)
}
