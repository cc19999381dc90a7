import {chmodSync, closeSync, constants, openSync, rmSync} from 'node:fs'
import {createConnection, createServer} from 'node:net'
import {join} from 'node:path'
import {thisProcess} from '../../../files/process-identity.js'

/**
 * A unix socket in the data folder that accepts connections while its process lives: the kernel closes it with the
 * process, so that processes in other pid namespaces (containers) of the same kernel can check for it.
 */
export interface Presence {
  /** Name of the socket in the folder. */
  readonly name: string
  end(): void
}

const {O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0} = constants

/** Maximum length of a socket path on every platform; longer ones are truncated or refused. */
const longestPath = 103

const hasSockets = process.platform !== 'win32'

/** Whether a name is that of a socket of ours; no other name in a lock file is connected to. */
export const isSocketName = (name: string): boolean => /^LOCK-[\w-]{1,40}\.sock$/.test(name)

/** A socket address of a file in a folder, whatever the length of its path; undefined if the system has none. */
function addressOf(directory: string, name: string): {path: string; close: () => void} | undefined {
  const path = join(directory, name)
  if (Buffer.byteLength(path) <= longestPath) return {path, close: () => {}}
  if (process.platform !== 'linux') return undefined
  const fd = openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  return {path: `/proc/self/fd/${fd}/${name}`, close: () => closeSync(fd)}
}

/** The initial pid namespace of the kernel, outside all containers. */
const initialNamespace = 'pid:[4026531836]'

/**
 * Whether processes of this kernel may be unable to see this one. A process of the host needs no socket: others of the
 * host see it, and containers take it for alive. So most folders hold only files that can be copied.
 */
export const needsPresence = (): boolean => {
  const {namespace} = thisProcess()
  return namespace !== '' && namespace !== initialNamespace
}

/** Starts listening; undefined if the system or the file system has no unix sockets. */
export async function announcePresence(directory: string, nonce: string): Promise<Presence | undefined> {
  if (!hasSockets) return undefined
  const name = `LOCK-${nonce}.sock`
  try {
    const address = addressOf(directory, name)
    if (!address) return undefined
    // Accepting the connection is the answer; no data is sent.
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(address.path, resolve)
    }).catch((error: unknown) => {
      address.close()
      throw error
    })
    server.unref()
    server.on('error', () => {})
    chmodSync(join(directory, name), 0o600)
    return {
      name,
      end() {
        // Node unlinks the socket by its address, which is valid while the folder is open.
        server.close(() => address.close())
        rmSync(join(directory, name), {force: true})
      },
    }
  } catch {
    return undefined
  }
}

/** Whether the process behind a socket of this kernel lives; `unknown` if it was removed or cannot be connected to. */
export async function presenceOf(directory: string, name: string): Promise<'alive' | 'dead' | 'unknown'> {
  if (!hasSockets || !isSocketName(name)) return 'unknown'
  let address: ReturnType<typeof addressOf>
  try {
    address = addressOf(directory, name)
  } catch {
    return 'unknown'
  }
  if (!address) return 'unknown'
  const {path, close} = address
  return new Promise<'alive' | 'dead' | 'unknown'>((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => resolve('alive'))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A full backlog means that a live process is too busy to accept.
      if (error.code === 'EAGAIN') resolve('alive')
      else resolve(error.code === 'ECONNREFUSED' ? 'dead' : 'unknown')
    })
    socket.once('close', close)
    socket.once('connect', () => socket.destroy())
  })
}
