import {queryMessages} from '../../api/project/messages.js'
import type {Client} from '../../client/client.js'
import {isFull} from '../../client/walk.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {type Sessions, sessionsOf} from '../customers/sessions.js'
import {type AuditLine, isAbout} from '../safety/audit.js'
import {type Act, actEvent, actsOf, didBy, wouldRedo} from './audit-events.js'
import type {HistoryEvent} from './event.js'
import {type CustomerMessage, messageEvents, whoDid} from './message-events.js'

export interface History {
  readonly events: readonly HistoryEvent[]
  /** What could not be read, as sentences. */
  readonly gaps: readonly string[]
}

export interface HistorySource {
  readonly client: Client
  /** Absent: the customer is gone, and only its id is known. */
  readonly customer: Customer | undefined
  readonly id: string
  readonly audit: readonly AuditLine[]
  readonly now: number
}

/** Everything that is known to have happened to a customer: messages, those of its tokens too, audit log and versions. */
export async function historyOf({client, customer, id, audit, now}: HistorySource): Promise<History> {
  const [{messages, gaps}, told] = await Promise.all([
    messagesOf(client, id),
    customer ? sessionsOf(client, id) : 'not served',
  ])
  const sessions = typeof told === 'string' ? undefined : told
  const isOpen = (purpose: string, expiresAt: string): boolean =>
    sessions?.openTokens.some((one) => one.purpose === purpose && one.expiresAt === expiresAt) === true
  const acts = actsOf(audit, isAbout({id, key: customer?.key}))
  const ofMessages = messageEvents(messages, id, {isOpen: sessions && isOpen, now}).map((event) =>
    credited(event, acts),
  )
  const untold = acts.filter((act) => !ofMessages.some((event) => isOf(event, act)))
  const events = [...ofMessages, ...untold.map(actEvent)]
  const all = [...events, ...signInEvents(sessions), ...(customer ? fromCustomer(customer, events) : [])]
  return {events: all.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0)), gaps}
}

/** Failed sign-ins that still count, and the lockout that they led to. */
function signInEvents({failedSignIns = [], lockedUntil}: Partial<Sessions> = {}): HistoryEvent[] {
  const event = {origin: 'server', who: ''} as const
  const last = failedSignIns.at(-1)
  return [
    ...(last && lockedUntil
      ? [{...event, time: last, type: 'LockedOut', what: 'locked out', expiresAt: lockedUntil}]
      : []),
    ...failedSignIns.map((time) => ({...event, time, type: 'SignInFailed', what: 'sign-in failed'})),
  ]
}

const pageSize = 500

/** Messages about the customer, and those about its tokens, which are resources of their own. */
async function messagesOf(client: Client, id: string) {
  const gaps: string[] = []
  const ask = async (where: string, gap: string): Promise<readonly CustomerMessage[]> => {
    const query = {where: [where], 'var.id': id, sort: ['createdAt desc', 'id asc'], limit: pageSize, withTotal: false}
    try {
      const page = await client.call(queryMessages, {}, {query})
      if (isFull(page, pageSize)) gaps.push(`Only the latest ${page.results.length} messages were read.`)
      return page.results
    } catch (error) {
      if (!(error instanceof ApiError) || ![400, 403, 404].includes(error.statusCode)) throw error
      gaps.push(gap)
      return []
    }
  }
  const [own, ofTokens] = await Promise.all([
    ask('resource(id = :id)', 'This client may not read the messages of this project.'),
    ask('customerId = :id', 'This client may not read messages about tokens.'),
  ])
  const messages = [...new Map([...own, ...ofTokens].map((message) => [message.id, message] as const)).values()]
  return {messages, gaps: [...new Set(gaps)]}
}

/** Whether an act of this tool led to the version that an event tells of. */
const isOf = (event: HistoryEvent, act: Act): boolean => hasMadeToken(event, act) || hasLedTo(event, act)

/** Tokens are resources of their own, so that only the moment tells whose act made one. */
const hasMadeToken = ({time, type}: HistoryEvent, {intent, result}: Act): boolean =>
  result?.result === 'done' &&
  (intent.actions ?? []).some((action) => type === tokenMessages.get(action)) &&
  Date.parse(time) > Date.parse(intent.time) - clockSkewMs &&
  Date.parse(time) < Date.parse(result.time) + clockSkewMs

const tokenMessages = new Map([
  ['createPasswordToken', 'CustomerPasswordTokenCreated'],
  ['createEmailToken', 'CustomerEmailTokenCreated'],
])

/** Clocks of the target and of this machine differ. */
const clockSkewMs = 3000

const hasLedTo = ({version}: HistoryEvent, {intent, result}: Act): boolean =>
  version !== undefined &&
  result?.result === 'done' &&
  result.versionAfter !== undefined &&
  // A creation has no version before.
  version > (intent.versionBefore ?? (intent.command === 'customers create' ? 0 : result.versionAfter)) &&
  version <= result.versionAfter

/** The event with the person, reason and ticket of the act behind it. */
function credited(event: HistoryEvent, acts: readonly Act[]): HistoryEvent {
  const act = acts.find((one) => isOf(event, one))
  if (!act) return event
  const {reason, ticket, command} = act.intent
  const undo = wouldRedo(acts.slice(0, acts.indexOf(act))) ? ' (undo of an undo)' : ' (undo)'
  const what = command === 'undo' ? `${event.what}${undo}` : event.what
  return {...event, what, who: didBy(act.intent), ...defined({reason, ticket}), command}
}

/** What the customer itself says where the messages of that time are gone: that it was created, and changed last. */
function fromCustomer(customer: Customer, events: readonly HistoryEvent[]): HistoryEvent[] {
  const {id, version, createdAt, createdBy, lastModifiedAt, lastModifiedBy} = customer
  const created: HistoryEvent = {
    time: createdAt,
    origin: 'customer',
    type: 'created',
    what: 'created',
    who: whoDid(createdBy, id),
    version: 1,
  }
  const changed: HistoryEvent = {
    time: lastModifiedAt,
    origin: 'customer',
    type: 'changed',
    what: `changed to version ${version}; no message says how`,
    who: whoDid(lastModifiedBy, id),
    version,
  }
  return [
    ...(events.some(({type}) => type === 'CustomerCreated') ? [] : [created]),
    ...(version === 1 || events.some((event) => event.version === version) ? [] : [changed]),
  ]
}
