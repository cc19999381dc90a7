import {reachOf} from '../network-reach.js'

/**
 * Which addresses may be asked about foreign tokens (decision 30): https anywhere, plain http on this machine only. The
 * answer names the rule that is broken; undefined means that the address may be used.
 */
export function introspectionUrlProblem(text: string): string | undefined {
  if (text.length > maxUrl) return `It must not exceed ${maxUrl} characters.`
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'It must be an absolute URL.'
  }
  if (url.username !== '' || url.password !== '') return 'It must not hold a user name or password.'
  if (url.hash !== '' || text.includes('#')) return 'It must not have a fragment.'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol === 'http:' && !isLoopbackHost(host)) return 'It must be https, or http on this machine.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'It must be https, or http on this machine.'
  return undefined
}

const maxUrl = 2048

/** `localhost` counts: what it resolves to is checked when it is connected to. */
const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || reachOf(host) === 'loopback'
