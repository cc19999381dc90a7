import {type LookupAddress, lookup} from 'node:dns'
import type {LookupFunction} from 'node:net'
import {limits} from '../../work/limits.js'

/** Resolves a name to all its addresses; answers by callback or throws. */
export type Resolve = (
  hostname: string,
  options: {readonly all: true},
  callback: (error: NodeJS.ErrnoException | null, addresses?: unknown) => void,
) => void

type SharedResolver = (hostname: string) => Promise<readonly LookupAddress[]>

/**
 * A `lookup` for sockets that refuses a name if any of its addresses is not permitted, so that the socket connects to a
 * checked address. Calls its callback exactly once, whatever the resolver does.
 */
export function guardedLookup(permits: (address: string) => boolean, resolved: SharedResolver): LookupFunction {
  const permitted = async (hostname: string, family: unknown) => {
    const addresses = await resolved(hostname)
    if (!addresses.every(({address}) => permits(address))) throw new Error(`${hostname} has a forbidden address`)
    const [first, ...others] = addresses.filter((one) => (family !== 4 && family !== 6) || one.family === family)
    if (!first) throw new Error(`${hostname} has no address`)
    return [first, ...others] as const
  }
  return (hostname, options, callback) => {
    permitted(hostname, options.family).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses])
        else callback(null, addresses[0].address, addresses[0].family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}

/**
 * Resolves each name once at a time (single flight), and few names at once: each takes a thread of the pool that also
 * serves file I/O.
 */
export function sharedResolver(resolve: Resolve = lookup as unknown as Resolve): SharedResolver {
  const running = new Map<string, Promise<readonly LookupAddress[]>>()
  return (hostname) => {
    const present = running.get(hostname)
    if (present) return present
    if (running.size >= limits.resolvingNames) return Promise.reject(new Error('too many names are being resolved'))
    const answer = new Promise<readonly LookupAddress[]>((done, failed) => {
      resolve(hostname, {all: true}, (error, addresses) => {
        if (error) failed(error)
        else done(Array.isArray(addresses) ? addresses.filter(isAddress) : [])
      })
    }).finally(() => running.delete(hostname))
    running.set(hostname, answer)
    return answer
  }
}

function isAddress(value: unknown): value is LookupAddress {
  if (typeof value !== 'object' || value === null) return false
  const {address, family} = value as Partial<LookupAddress>
  return typeof address === 'string' && (family === 4 || family === 6)
}
