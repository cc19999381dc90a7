import * as v from 'valibot'
import type {CustomerDraft} from '../../domain/customers/draft.js'
import {type CustomerUniqueKey, uniqueKeysOf} from '../../domain/customers/identity.js'
import {defined, isObject} from '../../domain/equal.js'
import {limits} from '../../limits.js'
import {sliceMs, timeSlices} from '../../time-slices.js'
import type {Context} from '../operation/context.js'
import {deprecatedDraftUses} from '../operation/deprecated-uses.js'
import {operation, successOf} from '../operation/operation.js'
import {jsonObject} from '../pipeline/json-body.js'
import {isFault, refusal} from '../pipeline/pipeline.js'
import {validated} from '../pipeline/validate.js'
import {createCustomer, signUp, signUpReads} from './sign-up.js'

/** What became of one draft: the customer of a 201, or the error that a request of its own would have been answered. */
const Outcome = v.object({
  status: v.number(),
  customer: v.exactOptional(v.object({id: v.string(), version: v.number()})),
  error: v.exactOptional(v.record(v.string(), v.unknown())),
  retryAfterSeconds: v.exactOptional(v.number()),
})

type Outcome = v.InferOutput<typeof Outcome>

/** What a draft may have to itself; two drafts of a batch that share any of it are signed up one after the other. */
function identitiesOf(draft: unknown): readonly CustomerUniqueKey[] {
  if (!isObject(draft)) return []
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const {email, key, customerNumber} = draft as Readonly<Record<string, unknown>>
  const texts = defined({key: text(key), customerNumber: text(customerNumber)})
  return uniqueKeysOf({email: text(email) ?? '', ...texts, stores: []})
}

/** What only the whole request can be answered with. */
class Fault {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

/** A sign-up of its own: what is wrong with one draft concerns no other. A fault of the server concerns them all. Never rejects. */
async function outcomeOf(context: Context, draft: unknown): Promise<Outcome | Fault> {
  try {
    const body = validated<CustomerDraft>(createCustomer.body as never, jsonObject(draft))
    const {id, version} = (await signUp(context, body)).customer
    return {status: successOf(createCustomer), customer: {id, version}}
  } catch (error) {
    if (isFault(error)) return new Fault(error)
    const {status, body, headers = {}} = refusal(error, false, context.correlationId)
    const seconds = headers['retry-after']
    const wait = seconds === undefined ? {} : {retryAfterSeconds: Number(seconds)}
    return {status, error: body as Record<string, unknown>, ...wait}
  }
}

/** Passwords of a batch that wait at once: a quarter of those of a server. */
const hashedAtOnce = limits.waitingPasswords / 4

/** The store makes one transaction of commits that come together, so that a batch waits for the disk once. */
async function outcomesOf(context: Context, drafts: readonly unknown[]): Promise<Outcome[]> {
  const yields = timeSlices(sliceMs)
  const last = new Map<string, Promise<unknown>>()
  const outcomes: Promise<Outcome | Fault>[] = []
  const hashing: Promise<unknown>[] = []
  for (const draft of drafts) {
    if (isObject(draft) && draft['password'] !== undefined) await hashing.at(-hashedAtOnce)
    const own = identitiesOf(draft)
    const earlier: Promise<unknown>[] = []
    for (const {key} of own) {
      const before = last.get(key)
      if (before) earlier.push(before)
    }
    const outcome =
      earlier.length === 0 ? outcomeOf(context, draft) : Promise.all(earlier).then(() => outcomeOf(context, draft))
    for (const {key} of own) last.set(key, outcome)
    outcomes.push(outcome)
    if (isObject(draft) && draft['password'] !== undefined) hashing.push(outcome)
    const pause = yields()
    if (pause) await pause
  }
  const ended: Outcome[] = []
  let fault: Fault | undefined
  for (const outcome of outcomes) {
    const one = await outcome
    if (one instanceof Fault) fault ??= one
    else ended.push(one)
  }
  if (fault) throw fault.error
  return ended
}

const draftsOf = (body: unknown): readonly unknown[] => {
  const drafts = isObject(body) ? body['drafts'] : undefined
  return Array.isArray(drafts) ? drafts : []
}

/** Signs up many customers with one request, each as a request of its own would (decision 45). */
export const createCustomers = operation({
  id: 'createCustomers',
  method: 'POST',
  path: '/{projectKey}/_frontdesk/customers',
  summary: 'sign up many customers, each for itself',
  area: 'Customers',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  body: v.object({
    drafts: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(limits.batchedDrafts)),
  }),
  secrets: ['password', 'passwordHash'],
  messages: ['CustomerCreated'],
  unexpected: signUpReads,
  reply: v.object({correlationId: v.string(), results: v.array(Outcome)}),
  inStore: true,
  deprecations: deprecatedDraftUses.map((use) => ({
    ...use,
    usedBy: (body, query) => draftsOf(body).some((draft) => use.usedBy(draft, query)),
  })),
  noteOf: ({results}) => {
    const refused = results.filter(({customer}) => !customer).length
    return refused === 0 ? undefined : `${refused} of ${results.length} drafts were refused`
  },
  handle: async (context, {body: {drafts}}) => ({
    correlationId: context.correlationId,
    results: await outcomesOf(context, drafts),
  }),
})
