import {isKey} from '../../domain/rules.js'
import {linkProblem} from '../../domain/token-link.js'
import {usage} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a URL stays on this machine. */
export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname)

/** A base URL without trailing slash. Throws usage unless it is https, or http on loopback, without credentials or query. */
export function checkedUrl(text: string, origin: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw usage(`${origin} is not a URL.`, 'Write it like https://api.europe-west1.gcp.commercetools.com.')
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(`${origin} carries a user name or password.`, 'Take it out and set FRONTDESK_CLIENT_ID and _SECRET.')
  }
  if (url.search !== '' || url.hash !== '') throw usage(`${origin} has a query or a fragment.`, 'Take it out.')
  const http = url.protocol === 'http:' && loopback.test(url.hostname)
  if (url.protocol !== 'https:' && !http) {
    throw usage(
      `${origin} must start with https:// (${url.protocol} was given).`,
      'http:// is allowed for 127.0.0.1, [::1] and localhost only.',
    )
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** A page with `{token}` in its path, query or fragment, over https, or http on loopback. Throws usage for any other. */
export function checkedLink(text: string | undefined, origin: string): string | undefined {
  if (text === undefined) return undefined
  const problem = linkProblem(text)
  if (problem !== undefined) throw usage(`${origin} ${problem}.`, `Write it like ${exampleLink}.`)
  return text
}

const exampleLink = 'https://shop.example/reset?token={token}'

const projectKey = /^[a-z0-9][a-z0-9_-]{1,35}$/

export function checkedProjectKey(text: string, origin: string): string {
  if (projectKey.test(text) && text !== 'oauth') return text
  throw usage(
    `'${oneLine(text)}' (${origin}) is not a project key.`,
    'Use 2 to 36 lower-case letters, digits, - and _, starting with a letter or digit.',
  )
}

export function checkedStoreKey(text: string, origin: string): string {
  if (isKey(text)) return text
  throw usage(`${origin} is not a store key.`, 'Use 2 to 256 letters, digits, - and _.')
}
