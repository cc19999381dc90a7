import {statfsSync} from 'node:fs'
import {defined} from '../../../domain/equal.js'
import {
  type Liveness,
  type ProcessIdentity,
  parsedIdentity,
  liveness as processLiveness,
  thisProcess as thisIdentity,
} from '../../../files/process-identity.js'
import {checksumOf} from '../file/checksum.js'
import {isSocketName, presenceOf} from './presence.js'

/** Who holds the lock of a store. */
export interface Holder extends ProcessIdentity {
  readonly nonce: string
  readonly purpose: 'server' | 'one-shot'
  /** Name of the socket in the folder that accepts connections while the process lives. */
  readonly socket?: string
  /** The origin where a server listens. */
  readonly origin?: string
  /** The origin that clients use, if it differs. */
  readonly publicOrigin?: string
}

export const thisProcess = (nonce: string, purpose: Holder['purpose'], socket?: string): Holder => ({
  ...thisIdentity(),
  nonce,
  purpose,
  ...defined({socket}),
})

/** Where a holder runs, relative to this process. */
export function locationOf({bootId, namespace}: Holder): 'here' | 'container' | 'machine' {
  const here = thisIdentity()
  if (bootId !== here.bootId) return 'machine'
  return namespace === here.namespace ? 'here' : 'container'
}

/** Local file systems, which no other machine can have mounted: ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS. */
const localFileSystems = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1])

function isOnLocalDisk(directory: string): boolean {
  try {
    return process.platform === 'linux' && localFileSystems.has(statfsSync(directory).type)
  } catch {
    return false
  }
}

/** Whether a holder still runs. `unknown` (another machine, or a container without a socket) counts as in use. */
export async function liveness(holder: Holder, directory: string): Promise<Liveness> {
  if (isUnreadable(holder)) return unreadableLiveness(holder, directory)
  const known = processLiveness(holder)
  if (known !== 'unknown') return known
  if (locationOf(holder) === 'machine') return isOnLocalDisk(directory) ? 'dead' : 'unknown'
  return holder.socket === undefined ? 'unknown' : presenceOf(directory, holder.socket)
}

/** Parses the holder in a lock file; undefined if there is none. */
export function parsedHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    return parsedIdentity(holder) && typeof holder?.nonce === 'string' ? (holder as Holder) : undefined
  } catch {
    return undefined
  }
}

/** The holder of a damaged lock, who may live: the sockets in the folder tell. */
export const unreadableHolder = (content: Uint8Array, names: readonly string[]): Holder => ({
  ...thisIdentity(),
  pid: 0,
  nonce: `unreadable-${checksumOf(content).toString(16)}`,
  purpose: 'one-shot',
  socket: names.filter(isSocketName).join('/'),
})

/** The holder without one of its possible sockets. */
export const withoutSocket = (holder: Holder, name: string | undefined): Holder =>
  isUnreadable(holder) && holder.socket !== undefined
    ? {
        ...holder,
        socket: holder.socket
          .split('/')
          .filter((socket) => socket !== name)
          .join('/'),
      }
    : holder

export const isUnreadable = ({pid}: Holder): boolean => pid === 0

async function unreadableLiveness({socket = ''}: Holder, directory: string): Promise<Liveness> {
  if (!isOnLocalDisk(directory)) return 'unknown'
  let result: Liveness = 'dead'
  for (const name of socket.split('/').filter((text) => text !== '')) {
    const presence = await presenceOf(directory, name)
    if (presence === 'alive') return 'alive'
    if (presence === 'unknown') result = 'unknown'
  }
  return result
}
