import {isLoopbackHost} from './network-reach.js'

/** Pages of a shop that take a one-time token: `https://shop.example/reset?token={token}`. */

const place = '{token}'

/** Why a text is no such page, as the end of a sentence; undefined if it is one: https, or http on this machine. */
export function linkProblem(text: string): string | undefined {
  const [before = '', ...after] = text.split(place)
  if (after.length !== 1) return 'needs {token} once'
  if (!/^https?:\/\/[^/?#]+[/?#]/.test(before) || !URL.canParse(before)) return 'is not a link'
  const {protocol, hostname, username, password} = new URL(before)
  if (username !== '' || password !== '') return 'carries a user name or password'
  return protocol === 'https:' || isLoopbackHost(hostname) ? undefined : 'must start with https:// beyond this machine'
}

/** The page with the token in its place; undefined without a page. */
export const linkWith = (page: string | undefined, token: string): string | undefined =>
  page?.replaceAll(place, encodeURIComponent(token))
