import type {Target} from './target.js'

/** Where a record was made: an address or folder, and a project of it (decision 68). */

export const addressOf = (target: Target): string => (target.kind === 'remote' ? target.apiUrl : target.dataDir)

/** A place as records keep it and people read it. Project keys have no blank. */
export const placeText = (address: string, projectKey: string): string => `${address} ${projectKey}`

export const placeOf = (target: Target): string => placeText(addressOf(target), target.projectKey)

/** The place of what a run notes in its header. */
export const placeOfRun = ({target, projectKey}: {readonly target: string; readonly projectKey: string}): string =>
  placeText(target, projectKey)

/** A place for comparison and for digests: however its address is written. */
export function placeKey(place: string): string {
  const end = place.lastIndexOf(' ')
  return placeText(addressKey(place.slice(0, end)), place.slice(end + 1))
}

export const isSamePlace = (one: string, other: string): boolean => placeKey(one) === placeKey(other)

/**
 * An address for comparison: case, default port and trailing slash do not count, and the addresses of this machine are
 * one for each port.
 */
export function addressKey(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const host = url.hostname.replace(/\.$/, '')
  const port = url.port || (url.protocol === 'http:' ? '80' : '443')
  const path = url.pathname.replace(/\/+$/, '')
  return onThisMachine.test(host) ? `loopback:${port}${path}` : `${url.protocol}//${host}:${port}${path}`
}

const onThisMachine =
  /^((.*\.)?localhost|0\.0\.0\.0|127(?:\.\d{1,3}){3}|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

export const isSameAddress = (one: string, other: string | undefined): boolean =>
  other !== undefined && addressKey(one) === addressKey(other)
