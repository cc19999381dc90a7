import {lstatSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {isSamePlace, placeText} from '../../client/place.js'
import {privateFolder, readPrivate, replacePrivate} from '../../files/private-file.js'
import {Failure, usage} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'
import type {ResolvedTarget} from '../target/target.js'

/** Tokens that `token issue --save NAME` keeps, bound to the address and project they are for. */
export interface SavedSession {
  readonly accessToken: string
  readonly refreshToken?: string
  readonly scope: string
  readonly expiresAt: number
  readonly flow: string
  /** The authorization service and the project that issued it. */
  readonly place: string
  readonly clientId?: string
}

const namePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
const folderOf = (cache: string): string => join(cache, 'sessions')

function fileOf(cache: string, name: string): string {
  if (namePattern.test(name)) return join(folderOf(cache), `${name}.json`)
  throw usage(`'${oneLine(name)}' is not a name for a session.`, 'Use 1 to 64 lower-case letters, digits, - and _.')
}

/** The service and project that a session belongs to; it is never sent to another. */
export const issuerOf = ({target}: Issuer): string =>
  placeText(target.kind === 'remote' ? target.authUrl : target.dataDir, target.projectKey)

export function saveSession(cache: string, name: string, session: SavedSession): void {
  const path = fileOf(cache, name)
  privateFolder(folderOf(cache))
  replacePrivate(path, `${JSON.stringify(session)}\n`)
}

/** A saved session. Throws NoSession if there is none, and SessionElsewhere if it belongs to another target. */
export function savedSession(cache: string, name: string, resolved: ResolvedTarget): SavedSession {
  const text = readPrivate(fileOf(cache, name))
  if (text === undefined) {
    throw new Failure('denied', 'NoSession', `There is no saved session '${name}'.`, {
      hints: [`Make one: frontdesk token issue --flow password --save ${name}`],
    })
  }
  const session = parsed(text, name)
  if (isSamePlace(session.place, issuerOf(resolved))) return session
  throw new Failure('denied', 'SessionElsewhere', `The session '${name}' belongs to another address or project.`, {
    hints: ['It is not sent elsewhere; choose its target, or issue a new token.'],
  })
}

/** Parses a session file. The parser's own message is not shown, since it would quote the token. */
function parsed(text: string, name: string): SavedSession {
  const session = sessionIn(() => text)
  if (session !== undefined) return session
  throw new Failure('localState', 'SessionUnreadable', `The saved session '${name}' is damaged.`, {
    hints: [`Run: frontdesk token forget ${name}`],
  })
}

function sessionIn(read: () => string | undefined): SavedSession | undefined {
  try {
    const session = JSON.parse(read() ?? '') as SavedSession
    return typeof session.place === 'string' ? session : undefined
  } catch {
    return undefined
  }
}

/** The saved sessions by name, each with what reads its file; none where the folder cannot be read. */
function sessionFiles(cache: string): [name: string, read: () => string | undefined][] {
  try {
    return readdirSync(folderOf(cache))
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => [file.slice(0, -'.json'.length), () => readPrivate(join(folderOf(cache), file))])
  } catch {
    // Nothing was saved yet.
    return []
  }
}

export const allSessions = (cache: string): ReadonlyMap<string, SavedSession> =>
  new Map(
    sessionFiles(cache).flatMap(([name, read]) => {
      const text = read()
      return text === undefined ? [] : [[name, parsed(text, name)]]
    }),
  )

/** What a client saved of a place, by name. A file that cannot be read does not say whose it is. */
export const sessionsOfClient = (cache: string, clientId: string | undefined, place: string) =>
  new Map(
    sessionFiles(cache).flatMap(([name, read]): [string, SavedSession][] => {
      const session = sessionIn(read)
      return session?.clientId === clientId && session && isSamePlace(session.place, place) ? [[name, session]] : []
    }),
  )

type Issuer = Pick<ResolvedTarget, 'target'>

/** Saved sessions of a customer of a target: their scope says the id. A damaged file counts for every target. */
export const sessionsOfCustomer = (cache: string, id: string, issuer: Issuer): readonly string[] =>
  sessionFiles(cache).flatMap(([name, read]) => {
    const text = read()
    const place = sessionIn(() => text)?.place
    const isElsewhere = place !== undefined && !isSamePlace(place, issuerOf(issuer))
    return text?.includes(`customer_id:${id}`) && !isElsewhere ? [name] : []
  })

/** Forgets the sessions of a customer who is gone; the server has ended them. */
export function forgetSessions(cache: string, id: string, issuer: Issuer): void {
  for (const name of sessionsOfCustomer(cache, id, issuer)) forgetSession(cache, name)
}

/** Throws NoSession if no session of this name is saved. */
export function checkSaved(cache: string, name: string): void {
  if (lstatSync(fileOf(cache, name), {throwIfNoEntry: false})) return
  throw new Failure('notFound', 'NoSession', `There is no saved session '${name}'.`, {
    hints: ['`frontdesk token list` shows those there are.'],
  })
}

/** Forgets a saved session; the server is not asked. */
export const forgetSession = (cache: string, name: string): void => rmSync(fileOf(cache, name), {force: true})
