import {isIP} from 'node:net'
import {reachOf} from '../../domain/network-reach.js'

export interface Binding {
  /** A literal address of this machine, or `localhost`. */
  readonly host: string
  readonly tls?: TlsFiles
  /** Plain HTTP where other machines can reach it: secrets and tokens travel readable. */
  readonly insecureHttp?: true
  readonly seedDir?: string
}

/** PEM texts. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

export const isLoopback = (host: string): boolean => host === 'localhost' || reachOf(host) === 'loopback'

/** Why a server must not listen there, as a sentence; undefined if it may (S-02). */
export function bindProblem({host, tls, insecureHttp, seedDir}: Binding): string | undefined {
  if (host !== 'localhost' && isIP(host) === 0) return `'${host}' is not an address of this machine.`
  if (isLoopback(host)) return undefined
  if (!tls && !insecureHttp) {
    return `Other machines reach ${host}: listening there needs a TLS certificate and key, or the explicit choice of insecure HTTP.`
  }
  if (seedDir !== undefined) {
    return `A seed pack holds known secrets, so a server at ${host} does not take one: seed the project on this machine first.`
  }
  return undefined
}
