import * as v from 'valibot'
import {mayBeHash} from '../../domain/credentials/password-hash.js'
import {CustomerDraft} from '../../domain/customers/draft.js'
import {defined} from '../../domain/equal.js'
import {isFieldRule, isLocale} from '../../domain/rules.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {limits} from '../../work/limits.js'
import {uncleanBecause} from '../input/json-hygiene.js'
import type {Issue} from '../input/row.js'
import {type Match, type Mode, memberOf, type RowDraft} from '../input/row-draft.js'

type Columns = (path: string) => string

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}

/** A value as a message may show it: short, and never a password. */
const shown = (value: unknown): string => {
  if (typeof value !== 'string') return typeof value === 'number' ? `${value}` : typeOf(value)
  return value.length > 80 ? `'${value.slice(0, 80)}…'` : `'${value}'`
}

const fixes = new Map([
  ['country', "If all are of one country, add --transform 'addresses.*.country=default:CODE'."],
  ['dateOfBirth', "Name its form, such as --transform 'dateOfBirth=date:dd/mm/yyyy'."],
])

function issueFrom(found: v.BaseIssue<unknown>, columnOf: Columns): Issue {
  const path = v.getDotPath(found) ?? ''
  const column = columnOf(path)
  const secret = isSecretPath(path)
  const fix = defined({fix: fixes.get(path.slice(path.lastIndexOf('.') + 1))})
  if (found.input === undefined && found.kind === 'schema') {
    return {column, code: 'InvalidJsonInput', message: `There is no ${path}.`, ...fix}
  }
  if (found.type === 'check' && isFieldRule((found as {requirement?: unknown}).requirement)) {
    const value = secret ? 'The value' : shown(found.input)
    return {column, code: 'InvalidField', message: `${value} is not valid for ${path}. ${found.message}`, ...fix}
  }
  if (found.kind === 'validation' || found.type === 'picklist') {
    const expected = found.expected === null ? found.message : `expected ${found.expected}`
    return {column, code: 'InvalidJsonInput', message: `${path} cannot be used: ${expected}.`}
  }
  const message = `${path} has the wrong type: expected ${found.expected ?? 'another'}, found ${typeOf(found.input)}.`
  return {column, code: 'InvalidJsonInput', message}
}

/** An update needs no email: what a row does not have is left as it is. */
const UpdateDraft = v.partial(CustomerDraft, ['email'])

/** Everything that the API would refuse a draft for and that the row alone shows. */
export function issuesOf(
  draft: unknown,
  {match, mode, columnOf}: {readonly match: Match; readonly mode: Mode; readonly columnOf: Columns},
): Issue[] {
  const {issues, success} = v.safeParse(mode === 'update' ? UpdateDraft : CustomerDraft, draft)
  if (!success) return issues.map((found) => issueFrom(found, columnOf))
  const found = issuesBeyondSchema(draft as RowDraft, match)
  return found.length === 0 ? found : found.map(({path, ...issue}) => ({column: columnOf(path), ...issue}))
}

const indexMembers = [
  'defaultShippingAddress',
  'shippingAddresses',
  'defaultBillingAddress',
  'billingAddresses',
] as const

type IssueAt = Issue & {readonly path: string}

function issuesBeyondSchema(draft: RowDraft, match: Match): IssueAt[] {
  const found: IssueAt[] = []
  const {locale, password, addresses = []} = draft
  const count = addresses?.length ?? 0
  for (const path of indexMembers) {
    for (const index of draft[path] === undefined ? none : [draft[path] ?? []].flat()) {
      if (index >= 0 && index < count) continue
      const message = `${path} names the address ${index}, but the row has ${count}.`
      found.push({path, code: 'InvalidOperation', message})
    }
  }
  // Which languages a project has is not asked; a text that is no language tag fits none.
  if (typeof locale === 'string' && !isLocale(locale)) {
    const message = `${shown(locale)} is no language tag, such as de or de-AT; of de_AT --transform 'locale=replace:/_/-/' makes one.`
    found.push({path: 'locale', code: 'InvalidInput', message})
  }
  if (count > 1) found.push(...sharedKeys(addresses ?? []))
  // A hash that was imported as a password would be what its customer has to type (decision 19).
  if (typeof password === 'string' && mayBeHash(password)) {
    const message = 'The password looks like a hash, which would become the password itself.'
    const fix =
      "Map its column to passwordHash: --map 'COLUMN=passwordHash'; unless the hashes are of bcrypt and the target is a " +
      'local server, also add --password-mode reset-links.'
    found.push({path: 'password', code: 'InvalidField', message, fix})
  }
  const member = memberOf(match, draft)
  if (typeof draft[member] !== 'string' || draft[member] === '') {
    const message = `The row has no ${member}, by which its customer is found; --match names another field.`
    found.push({path: member, code: 'RequiredField', message})
  }
  return found
}

function sharedKeys(addresses: NonNullable<RowDraft['addresses']>): IssueAt[] {
  const keys = new Set<string>()
  return addresses.flatMap(({key}, at) => {
    if (typeof key !== 'string') return []
    const message = `Two addresses of the row have the key '${key}'.`
    const isShared = keys.has(key)
    keys.add(key)
    return isShared ? [{path: `addresses.${at}.key`, code: 'DuplicateField', message}] : []
  })
}

const none: readonly never[] = []

const code = 'InvalidJsonInput'

/** What no JSON may have. Cells of a table may hold JSON too, which nothing has looked at so far. */
export function uncleanIssues(draft: object): readonly Issue[] {
  const unclean = uncleanBecause(draft)
  return unclean === undefined ? none : [{code, message: `The row cannot be used: ${unclean}.`}]
}

/** What a server of ours refuses in any body whatever it means: texts too long, too many members and elements. */
export function limitIssues(draft: object, columnOf: (path: string) => string): readonly Issue[] {
  let values = 0
  const issues: Issue[] = []
  // Paths are put together on the way back, since nearly no text is too long.
  const longTexts = (value: object): readonly string[] => {
    let found: readonly string[] = none
    for (const [name, member] of Object.entries(value) as [string, unknown][]) {
      values += 1
      if (typeof member === 'string' && member.length > limits.textCharacters) found = [...found, name]
      else if (typeof member === 'object' && member !== null)
        for (const path of longTexts(member)) found = [...found, `${name}.${path}`]
    }
    return found
  }
  for (const path of longTexts(draft))
    issues.push({column: columnOf(path), code, message: `${path} is longer than ${limits.textCharacters} characters.`})
  if (values > limits.jsonValues)
    issues.push({code, message: `The row has more than ${limits.jsonValues} members and elements.`})
  return issues
}
