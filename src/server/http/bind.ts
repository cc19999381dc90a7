import {isIP} from 'node:net'
import {ApiError} from '../../domain/errors.js'
import {reachOf} from '../../domain/network-reach.js'
import {originOf} from './origins.js'

export interface Binding {
  /** A literal address of this machine, or `localhost`. */
  readonly host: string
  /** Allows plain HTTP beyond loopback, where secrets and tokens travel unencrypted. */
  readonly insecureHttp?: true
  readonly seedDir?: string
}

export const isLoopback = (host: string): boolean => host === 'localhost' || reachOf(host) === 'loopback'

/** Why the server must not listen at an address, as a sentence; undefined if it may. */
export function bindProblem({host, insecureHttp, seedDir}: Binding): string | undefined {
  if (host !== 'localhost' && isIP(host) === 0) return `'${host}' is not an address of this machine.`
  if (isLoopback(host)) return undefined
  if (!insecureHttp) {
    return `Other machines reach ${host}: listening there needs the explicit choice of insecure HTTP.`
  }
  if (seedDir !== undefined) {
    return `A seed pack holds known secrets, so a server at ${host} does not take one: seed the project on this machine first.`
  }
  return undefined
}

const refused = (message: string): ApiError => ApiError.of('InvalidSetup', {message})

const hostForm =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::(?:\d{1,5}|\*))?$/i

/**
 * The hosts that the Host check lets pass, that of the public address among them. The port may be any (`shop.test:*`), the
 * name may not: the check keeps pages away that resolved a name of theirs to this machine. Throws InvalidSetup.
 */
export function checkedAllowedHosts(hosts: readonly string[], publicOrigin: string | undefined): readonly string[] {
  const wrong = hosts.find((host) => !hostForm.test(host))
  if (wrong !== undefined) throw refused(`'${wrong}' is not a host: write a name or address, as in shop.test or [::1].`)
  return publicOrigin === undefined ? hosts : [...hosts, new URL(publicOrigin).host]
}

/** The origin of the address that clients use. Throws InvalidSetup for any text but an origin. */
export function publicOriginOf(url: string): string {
  const origin = originOf(url)
  if (origin !== undefined) return origin
  throw refused('The public address is not of the form https://host:port.')
}
