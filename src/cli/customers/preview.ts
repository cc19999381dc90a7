import * as v from 'valibot'
import {collectionOf} from '../../api/operation/collection-table.js'
import type {Client} from '../../client/client.js'
import type {Facts, ReferencedResource, Registry, UpdateAction} from '../../domain/action.js'
import {addressFields} from '../../domain/address-fields.js'
import {customerActions} from '../../domain/customers/actions/index.js'
import type {Customer} from '../../domain/customers/customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {defined} from '../../domain/equal.js'
import {type ActionCall, fold} from '../../domain/fold.js'
import {distinct, FoundReferences} from '../../domain/found-references.js'
import type {WantedReference} from '../../domain/references.js'
import {ifFound} from '../input/is-found.js'
import {cellAt, cellText, flatten} from '../output/fields.js'
import {messageTypeText} from '../output/views.js'
import {didYouMean, invalidValue} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'
import {reasonOf} from './draft.js'
import {documentAt} from './related.js'

/** Previews update actions with the same rules as the server. */

export interface Difference {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Leaves that differ between two documents. What every update changes anyway is left out. */
export function differences(before: unknown, after: unknown): Difference[] {
  const [old, next] = [flatten(before), flatten(after)]
  const paths = new Set([...old.keys(), ...next.keys()])
  return [...paths]
    .filter((path) => !bookkeeping.test(path) && cellText(old.get(path)) !== cellText(next.get(path)))
    .map((path) => ({
      path,
      ...(old.has(path) ? {before: old.get(path)} : {}),
      ...(next.has(path) ? {after: next.get(path)} : {}),
    }))
}

const bookkeeping =
  /^(version|versionModifiedAt|lastModifiedAt|lastMessageSequenceNumber|createdBy|lastModifiedBy)(\.|$)|\.obj(\.|$)/

/** Whether a path is worth showing: a `typeId` is not, since the name of the member says it. */
export const isTelling = (path: string): boolean => !path.endsWith('.typeId')

/** Differences as lines, each as the output may show it: an address that came or went on one line. */
export function differenceLines(list: readonly Difference[], output: {masked(value: unknown): unknown}): string[] {
  const shown = list.filter(({path}) => isTelling(path)).map((difference) => output.masked(difference) as Difference)
  const entries = new Map<string, Difference[]>()
  for (const difference of shown) {
    const entry = /^addresses\.\d+(?=\.)/.exec(difference.path)?.[0] ?? difference.path
    entries.set(entry, [...(entries.get(entry) ?? []), difference])
  }
  return [...entries].flatMap(([path, members]) => wholeEntry(path, members) ?? members.map(differenceLine))
}

/** An entry that is there on one side only, by the values of its members; undefined for any other. */
function wholeEntry(path: string, members: readonly Difference[]): string[] | undefined {
  const side = (['after', 'before'] as const).find((one) => members.every((member) => member[one] !== undefined))
  const isWhole = members.some((member) => member.path === `${path}.id`)
  if (side === undefined || !isWhole || members.some(({before, after}) => before !== undefined && after !== undefined))
    return undefined
  const values = members.filter((member) => member.path !== `${path}.id`).map((member) => cellText(member[side]))
  return [differenceLine({path, [side]: values.join(', ')})]
}

/** Differences with the names of groups in place of their ids, where the client may read these. */
export const withNames = (client: Client, list: readonly Difference[]): Promise<Difference[]> =>
  Promise.all(
    list.map(async (difference) => {
      if (!/^customerGroup(Assignments?(\.\d+)?\.customerGroup)?\.id$/.test(difference.path)) return difference
      const {path, before, after} = difference
      return {path, ...defined({before: await groupName(client, before), after: await groupName(client, after)})}
    }),
  )

async function groupName(client: Client, id: unknown): Promise<unknown> {
  if (typeof id !== 'string') return id
  const group = await read(client, {typeId: 'customer-group', id}).catch(() => undefined)
  return cellAt(group, 'name') || id
}

/** A difference as a line: `first name: "A" → "B"`. */
function differenceLine({path, before, after}: Difference): string {
  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    return value === undefined ? '(absent)' : JSON.stringify(value)
  }
  return oneLine(`  ${labelOf(path)}: ${shown(before)} → ${shown(after)}`)
}

const labels = new Map<string, string>([...addressFields, ...fieldRows].map(({name, label}) => [name, label]))

/** A path by the labels of its members; places of lists count from 1, and custom fields keep their names. */
export function labelOf(path: string): string {
  if (path.startsWith('custom.')) return path
  const [, place, member] = /^customerGroup(?:Assignments?(\.\d+)?\.customerGroup)?\.(id|key)$/.exec(path) ?? []
  if (member !== undefined) return labelOf(`group${place ?? ''}`)
  const label = (step: string): string => {
    if (/^\d+$/.test(step)) return `${Number(step) + 1}`
    return labels.get(step) ?? (/^[a-zA-Z]+$/.test(step) ? messageTypeText(step).replace(/^is /, '') : step)
  }
  return path.split('.').map(label).join(' ')
}

/** Checks actions against the schemas of a registry, before anything is sent. Throws InvalidValue naming action, path and reason. */
export function checkedAgainst<R>(registry: Registry<R>, actions: readonly UpdateAction[]): ActionCall<R>[] {
  return actions.map(({action: name, ...input}, index) => {
    const action = registry.get(name)
    if (!action) {
      throw invalidValue(
        `There is no update action '${name}'.`,
        didYouMean(name, registry.keys()) ?? `Actions: ${[...registry.keys()].join(', ')}.`,
      )
    }
    const parsed = v.safeParse(action.schema, input)
    if (parsed.success) return {action, body: parsed.output}
    const [issue] = parsed.issues
    const path = v.getDotPath(issue)
    throw invalidValue(`actions[${index}] (${name})${path === null ? '' : `, ${path}`}: ${reasonOf(issue)}.`)
  })
}

/**
 * What actions would make of a customer, by the same fold as on the server. Ids of new addresses are placeholders.
 * Throws InvalidValue.
 */
export async function preview(client: Client, customer: Customer, actions: readonly UpdateAction[], now: number) {
  const calls = checkedAgainst(customerActions, actions)
  return fold(customer, calls, await factsFor(client, customer, calls, now))
}

/** Reads what actions refer to, so that a dry run folds them as the server will. */
async function factsFor(
  client: Client,
  customer: Customer,
  calls: readonly ActionCall<Customer>[],
  now: number,
): Promise<Facts> {
  const wanted = calls.flatMap(({action, body}) => action.references?.(body, customer) ?? [])
  const found = new FoundReferences()
  for (const reference of distinct(wanted)) {
    const resource = await read(client, reference)
    if (resource) found.add(reference, resource)
  }
  let addresses = 0
  return {
    now: new Date(now).toISOString(),
    newAddressId: () => `(new ${++addresses})`,
    newPasswordMask: () => '****',
    languages: [],
    limits: {customerGroups: 500},
    resolve: found.resolve,
  }
}

/** A referenced resource; undefined if it does not exist. Kinds that the API does not show are taken on trust. */
async function read(client: Client, {typeId, id, key}: WantedReference): Promise<ReferencedResource | undefined> {
  const collection = collectionOf(typeId)
  if (!collection) return id === undefined ? undefined : {id}
  const name = id === undefined ? `key=${encodeURIComponent(key ?? '')}` : encodeURIComponent(id)
  return (await ifFound(documentAt(client, `${collection.segment}/${name}`))) as ReferencedResource | undefined
}
