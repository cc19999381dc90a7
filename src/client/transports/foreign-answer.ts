import {hidden, redactedJson} from '../../domain/redact.js'
import {isSecretMember} from '../../domain/secret-members.js'
import type {Outgoing} from '../client.js'

/**
 * What is shown of an answer that is not the API's: the page of a firewall, a login, another program. Its first
 * characters tell what answered; nothing that the request kept secret may come back with them.
 */

const shownCharacters = 200
/** Enough to find the text of a page behind its head. */
const readCharacters = 8192

/** Every text at or below a member of a JSON value that holds a secret. */
function secretTexts(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, entry]) => secretTexts(entry, isSecret || isSecretMember(name)))
}

function secretsOfBody(body: string): string[] {
  try {
    return secretTexts(JSON.parse(body))
  } catch {
    return [...new URLSearchParams(body)].filter(([name]) => isSecretMember(name)).map(([, value]) => value)
  }
}

/** `Basic` credentials hold a secret once more, encoded. */
function secretsOfAuthorization(value: string): string[] {
  const [scheme = '', credentials = ''] = value.split(' ')
  if (scheme.toLowerCase() !== 'basic') return [credentials]
  const secret = Buffer.from(credentials, 'base64').toString('utf8').split(/:(.*)/s)[1] ?? ''
  return [credentials, secret]
}

function secretsOf({headers, path, body}: Outgoing): string[] {
  const authorization = headers['authorization']
  const oneTimeToken = /-token(?:=|%3D)([^/?]*)/i.exec(path)?.[1] ?? ''
  return [
    ...(authorization === undefined ? [] : secretsOfAuthorization(authorization)),
    ...(body === undefined ? [] : secretsOfBody(body)),
    oneTimeToken,
  ]
}

const entities: readonly (readonly [RegExp, string])[] = [
  [/&nbsp;/gi, ' '],
  [/&lt;/gi, '<'],
  [/&gt;/gi, '>'],
  [/&quot;|&#34;/gi, '"'],
  [/&#39;|&#x27;|&apos;/gi, "'"],
  [/&amp;/gi, '&'],
]

const withoutEntities = (text: string): string =>
  entities.reduce((plain, [entity, character]) => plain.replace(entity, character), text)

function withoutMarkup(text: string): string {
  if (!/<(?:!doctype|html|head|body|\?xml|[a-z]+[\s>])/i.test(text)) return text
  const bare = text.replace(/<(script|style)\b.*?(?:<\/\1>|$)/gis, ' ').replace(/<[^>]*>?/g, ' ')
  return withoutEntities(bare)
}

const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A secret as a page may repeat it: as it is, or as a URL, a form, JSON or HTML spells it. */
const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
  inHtml(secret),
  inHtml(JSON.stringify(secret).slice(1, -1)),
]

function masked(text: string, secrets: readonly string[]): string {
  const all = [...new Set(secrets.flatMap(spellings))].filter((secret) => secret !== '')
  // The longest first: one may be a part of another.
  all.sort((a, b) => b.length - a.length)
  return all.reduce((shown, secret) => shown.replaceAll(secret, hidden), text)
}

/** The first characters of a body as one line of plain text; undefined if it has none. */
function excerptOf(body: unknown, request: Outgoing): string | undefined {
  if (body === undefined) return undefined
  const text = typeof body === 'string' ? body : JSON.stringify(redactedJson(body))
  const secrets = secretsOf(request)
  const plain = withoutMarkup(masked(text.slice(0, readCharacters), secrets))
  const line = masked(plain, secrets)
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim()
  if (line === '') return undefined
  const characters = [...line]
  return characters.length <= shownCharacters ? line : `${characters.slice(0, shownCharacters).join('')}…`
}

const isApiError = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors)

/** Where a redirect leads, without what may be secret: neither its parameters nor credentials. */
function destination(location: string | undefined, url: string): string | undefined {
  if (location === undefined || !URL.canParse(location, url)) return undefined
  const {origin, pathname, protocol} = new URL(location, url)
  return /^https?:$/.test(protocol) ? `${origin}${pathname}`.slice(0, shownCharacters) : undefined
}

/** One sentence about an answer that is not the API's; undefined for one that is, and for one that says nothing. */
export function foreignText(
  {status, headers, body}: {status: number; headers: Readonly<Record<string, string>>; body: unknown},
  request: Outgoing,
  url: string,
): string | undefined {
  if (status >= 300 && status < 400) {
    const to = destination(headers['location'], url)
    return to === undefined ? undefined : `It points to ${to}; redirects are not followed.`
  }
  if (status < 300 ? typeof body !== 'string' : isApiError(body)) return undefined
  const excerpt = excerptOf(body, request)
  return excerpt === undefined ? undefined : `It says: ${excerpt}`
}
