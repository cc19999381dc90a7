import {chmodSync, closeSync, constants, openSync, unlinkSync} from 'node:fs'
import {createConnection, createServer} from 'node:net'
import {join} from 'node:path'
import {thisProcess} from '../../../files/process-identity.js'

/**
 * A unix socket in the folder of the state that answers as long as the process that made it lives: the kernel ends it
 * with the process, so that processes of other pid namespaces (containers) on the same kernel can tell.
 */
export interface Presence {
  /** Name of the socket in the folder. */
  readonly name: string
  end(): void
}

const {O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0} = constants

/** What a socket's address may have on every platform; a longer path is cut or refused. */
const longestPath = 103

const hasSockets = process.platform !== 'win32'

/** Names of sockets; nothing else that a lock file says is connected to. */
export const isSocketName = (name: string): boolean => /^LOCK-[\w-]{1,40}\.sock$/.test(name)

/** An address of a file in a folder, however long the path of the folder is; nothing if this system has none. */
function addressOf(directory: string, name: string): {path: string; close: () => void} | undefined {
  const path = join(directory, name)
  if (Buffer.byteLength(path) <= longestPath) return {path, close: () => {}}
  if (process.platform !== 'linux') return undefined
  const fd = openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  return {path: `/proc/self/fd/${fd}/${name}`, close: () => closeSync(fd)}
}

/** The namespace that the kernel starts with: its processes are no container's. */
const initialNamespace = 'pid:[4026531836]'

/**
 * Whether others of this kernel may be unable to see this process. Those of the host need no socket: whoever shares their
 * namespace looks them up, and for containers they count as alive. So most folders hold nothing that cannot be copied.
 */
export const needsPresence = (): boolean => {
  const {namespace} = thisProcess()
  return namespace !== '' && namespace !== initialNamespace
}

/** Begins to answer; nothing where the system or the file system has no such sockets. */
export async function announcePresence(directory: string, nonce: string): Promise<Presence | undefined> {
  if (!hasSockets) return undefined
  const name = `LOCK-${nonce}.sock`
  try {
    const address = addressOf(directory, name)
    if (!address) return undefined
    // A connection is the answer; there is nothing to say.
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
        // Node removes the file by the address, which is good as long as the folder is open.
        server.close(() => address.close())
        removeSocket(join(directory, name))
      },
    }
  } catch {
    return undefined
  }
}

function removeSocket(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It is gone already.
  }
}

/**
 * Whether the process behind a socket lives. Unknown: nothing can be concluded, as the socket was removed or cannot be
 * asked. Only for processes of this kernel: on another one nobody answers whoever lives.
 */
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
      // A queue of callers that is full belongs to a process that does not get to them.
      if (error.code === 'EAGAIN') resolve('alive')
      else resolve(error.code === 'ECONNREFUSED' ? 'dead' : 'unknown')
    })
    socket.once('close', close)
    socket.once('connect', () => socket.destroy())
  })
}
