import {expect} from 'chai'
import type {Opened} from '../../../src/cli/desk/act.js'
import {acts} from '../../../src/cli/desk/acts.js'
import {beginning, step} from '../../../src/cli/desk/machine.js'
import type {Event, Policy, Session, Shown, State} from '../../../src/cli/desk/state.js'
import type {ErrorReport} from '../../../src/cli/output/error-report.js'
import type {Customer} from '../../../src/domain/customers/customer.js'

/** Customers, events and policies for the course of a session. */

export const customerWith = (over: Partial<Customer> = {}): Customer => ({
  id: '1a6d66fe-b045-4294-88fa-3a4ddaf9d263',
  version: 3,
  createdAt: '2026-01-12T10:00:00.000Z',
  versionModifiedAt: '2026-01-12T10:00:00.000Z',
  lastModifiedAt: '2026-01-12T10:00:00.000Z',
  email: 'hazel@example.com',
  firstName: 'Hazel',
  lastName: 'Brandvold',
  addresses: [],
  shippingAddressIds: [],
  billingAddressIds: [],
  authenticationMode: 'Password',
  isEmailVerified: false,
  stores: [],
  customerGroupAssignments: [],
  ...over,
})

export const openedWith = (over: Partial<Customer> = {}): Opened => ({
  customer: customerWith(over),
  name: 'Hazel Brandvold <hazel@example.com>',
  ref: 'key=hazel',
  card: [['', ['Hazel Brandvold']]],
})

export const plain: Policy = {isEmbedded: true, given: {}, requiresReason: false, hasTicket: true, hasReason: true}
export const asks: Policy = {isEmbedded: true, given: {}, requiresReason: false, hasTicket: false, hasReason: false}

export const typed = (text: string): Event => ({is: 'typed', text})
export const back: Event = {is: 'back'}
export const actOf = (key: string) => acts.find((act) => act.key === key) ?? expect.fail(`no act ${key}`)

export const report = (code: string, exitCode: number): ErrorReport => ({
  code,
  exitCode,
  message: 'it failed',
  hints: [],
  details: [],
})

export const ran = (key: string, code = 0, why = 'Refused'): Event => {
  const result = {act: actOf(key), code, isDryRun: false, text: 'done', command: 'frontdesk …'}
  return {is: 'ran', ran: code === 0 ? result : {...result, report: report(why, code)}}
}

/** A session after some events, and what the last of them showed. */
export function following(events: readonly Event[], policy: Policy = plain, from: Session = beginning('')) {
  let session = from
  let shown: readonly Shown[] = []
  for (const event of events) ({session, shown} = step(session, event, policy))
  return {session, state: session.state, shown, kinds: shown.map(({kind}) => kind)}
}

export const toCard: readonly Event[] = [
  {is: 'picked', id: 'x', typed: 'haz'},
  {is: 'opened', opened: openedWith()},
]

export const expectAt = <A extends State['at']>(state: State, at: A): State & {at: A} => {
  expect(state.at).to.equal(at)
  return state as State & {at: A}
}
