import * as v from 'valibot'
import {CustomerDraft} from '../../domain/customers/draft.js'
import {fieldRows, flagOf} from '../../domain/customers/fields.js'
import {unusualKinds, unusualTexts, unusualValues} from '../../domain/customers/unusual.js'
import {capital} from '../../domain/equal.js'
import {identifierFrom} from '../../domain/references.js'
import {type FlagValues, switchFlag, textFlag, textsFlag} from '../input/flags.js'
import {jsonObjectInput} from '../input/json-input.js'
import {Failure, invalidValue} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {parseAssignment} from './assignments.js'

type Draft = Record<string, unknown>

/** One flag for each plain field. Typed as none, so that the flags below keep their types. */
const fieldFlags = Object.fromEntries(
  fieldRows.map((field) => [flagOf(field), textFlag(field.helpValue ?? 'TEXT', `${capital(field.label)}.`)]),
) as object

export const draftFlags = {
  ...fieldFlags,
  group: textsFlag('KEY|id=ID', 'Customer group (repeatable).'),
  'in-store': textsFlag('KEY', 'Store of the customer (repeatable).'),
  verified: switchFlag('The email is verified already.'),
  'external-auth': switchFlag('Sign in with an external service: no password.'),
  'anonymous-cart': textFlag('ID|key=KEY', 'Cart that becomes the customer’s.'),
  'anonymous-id': textFlag('ID', 'Anonymous session whose carts become the customer’s.'),
  set: textsFlag('PATH=VALUE', 'Any member of the draft: addresses.0.city=Bonn (repeatable).'),
  body: textFlag('@FILE|-|JSON', 'A whole draft; other flags override it.'),
}

/** The draft that the flags describe: `--body` first, then single flags, then `--set`. */
export async function draftFrom(flags: FlagValues<typeof draftFlags>, io: Io): Promise<Draft> {
  const draft: Draft = flags.body === undefined ? {} : {...(await jsonObjectInput(flags.body, '--body', io))}
  const given = flags as Readonly<Record<string, unknown>>
  for (const field of fieldRows) if (given[flagOf(field)] !== undefined) draft[field.name] = given[flagOf(field)]
  if (flags['anonymous-id'] !== undefined) draft['anonymousId'] = flags['anonymous-id']
  if (flags.group)
    draft['customerGroupAssignments'] = flags.group.map((group) => ({customerGroup: identifierFrom(group)}))
  if (flags['in-store']) draft['stores'] = flags['in-store'].map((key) => ({key}))
  if (flags.verified) draft['isEmailVerified'] = true
  if (flags['external-auth']) draft['authenticationMode'] = 'ExternalAuth'
  const cart = flags['anonymous-cart']
  if (cart !== undefined) draft['anonymousCart'] = cart.startsWith('key=') ? {key: cart.slice(4)} : {id: cart}
  for (const {path, value} of (flags.set ?? []).map(parseAssignment)) setAt(draft, path, convert(path, value))
  return draft
}

/** References and lists may be written as text, as in updates. */
function convert(path: readonly string[], value: unknown): unknown {
  const name = path.join('.')
  if (name === 'custom.type') return identifierFrom(value)
  if (typeof value !== 'string') return value
  switch (name) {
    case 'customerGroup':
      return identifierFrom(value)
    case 'stores':
      return value.split(',').map((key) => ({key: key.trim()}))
    case 'isEmailVerified':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'defaultShippingAddress':
    case 'defaultBillingAddress':
      return /^\d+$/.test(value) ? Number(value) : value
    default:
      return value
  }
}

/** Sets a member at a path; a number after a list's name is an index, and makes the list. */
function setAt(into: Draft | unknown[], [step = '', ...rest]: readonly string[], value: unknown): void {
  const key = Array.isArray(into) ? indexOf(step, into.length) : step
  const holder = into as Record<string | number, unknown>
  const inner = Object.hasOwn(holder, key) ? holder[key] : undefined
  const next = typeof inner === 'object' && inner !== null ? inner : /^\d+$/.test(rest[0] ?? '') ? [] : {}
  const set = rest.length === 0 ? value : next
  Object.defineProperty(holder, key, {value: set, enumerable: true, configurable: true, writable: true})
  if (rest.length > 0) setAt(next as Draft, rest, value)
}

function indexOf(step: string, length: number): number {
  const index = /^\d{1,4}$/.test(step) ? Number(step) : Number.NaN
  if (index <= length) return index
  throw invalidValue(`'${step}' is not an index of a list with ${length} entries.`, 'Count from 0, without gaps.')
}

/** Why a value is refused; valibot's own words for a missing member name types. */
export const reasonOf = ({kind, received, message}: v.BaseIssue<unknown>): string =>
  kind === 'schema' && received === 'undefined' ? 'it cannot be left out' : message.replace(/\.$/, '')

/** Checks a draft before it is sent. Throws InvalidValue with every problem. */
export function checkDraft(draft: Draft): void {
  const parsed = v.safeParse(CustomerDraft, draft)
  if (parsed.success) return
  const problems = parsed.issues.map((issue) => ({path: v.getDotPath(issue) ?? '', message: reasonOf(issue)}))
  const [first] = problems
  throw new Failure('invalid', 'InvalidValue', `${first?.path}: ${first?.message}.`, {
    hints: [problems.length > 1 ? `${problems.length} members are wrong: --json lists all.` : 'Correct the member.'],
    details: problems,
  })
}

/** Notes on unusual values that the API accepts but a person should check (decision 9). */
export const unusualNotes = (draft: Readonly<Record<string, unknown>>, now: number): string[] =>
  [...unusualValues(draft, new Date(now).toISOString().slice(0, 10)), ...unusualTexts(draft)].map(
    ({kind, value}) => `note: '${value}' is ${unusualKinds[kind]}`,
  )

/** The notes on a customer after a change that it did not earn before. */
export function newNotes(before: object, after: object, now: number): string[] {
  const known = new Set(unusualNotes({...before}, now))
  return unusualNotes({...after}, now).filter((note) => !known.has(note))
}
