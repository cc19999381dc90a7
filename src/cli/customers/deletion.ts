import {queryCustomers} from '../../api/customers/operations.js'
import {deleteCustomerById} from '../../api/customers/updates.js'
import {type Client, Unreachable} from '../../client/client.js'
import {WriteNotApplied} from '../../client/settle.js'
import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import type {Asking} from '../input/ask.js'
import {allPages, type QueryFlags} from '../input/query-options.js'
import type {Ref} from '../input/refs.js'
import {cellAt} from '../output/fields.js'
import {personOf} from '../output/views.js'
import {Failure, usage} from '../process/failure.js'
import {counted, jsonText} from '../process/sanitize.js'
import type {Run} from '../run/run.js'
import {noteFile} from '../run/written-files.js'
import type {Writer} from '../safety/door.js'
import {customerOf} from './calls.js'
import {relatedCount} from './related.js'
import {deletion} from './settlements.js'
import {each, type FailedCustomer} from './several.js'

/** Reads the customers to delete, so that people see them and their versions are known. */
export async function customersToDelete(
  client: Client,
  refs: readonly Ref[],
  flags: QueryFlags,
  {max, asking}: {readonly max: number | undefined; readonly asking: Asking},
): Promise<Customer[]> {
  if (flags.where === undefined) {
    const found = []
    for (const ref of refs) found.push(await customerOf(client, ref, {asking}))
    return found
  }
  if (max === undefined) throw usage('--where needs --max.', 'Add --max N, the largest number of customers to delete.')
  const found: Customer[] = []
  for await (const page of allPages(client, queryCustomers, flags)) {
    found.push(...page)
    if (found.length > max)
      throw usage(`More customers match than --max ${max}; nothing was deleted.`, 'Narrow --where, or raise --max.')
  }
  return found
}

export function deleteCustomer(
  client: Client,
  {id, version}: {readonly id: string; readonly version: number},
  erase: boolean,
): Promise<Customer> {
  return client.call(deleteCustomerById, {id}, {query: {version, ...(erase ? {dataErasure: true} : {})}})
}

interface Deletion {
  readonly run: Pick<Run, 'commandLine'>
  readonly client: Client
  readonly erase: boolean
  /** Sent instead of the version that was read. */
  readonly version?: number | undefined
  /** Notes before the request who is about to go; returns what removes the note. */
  readonly begin?: ((id: string) => () => void) | undefined
  /** Takes away what this machine keeps of a customer who is gone. */
  readonly forget: (id: string) => Promise<void>
  /** Does the deletion of one, and looks at what there is before and afterwards. */
  readonly around?: ((id: string, work: () => Promise<Customer>) => Promise<Customer>) | undefined
}

/** Deletes each customer at its version. */
export async function deleteEach(
  write: Writer,
  customers: readonly Customer[],
  {run, client, erase, version: sent, around = (_, work) => work(), begin, forget}: Deletion,
) {
  const remove = async (before: Customer): Promise<Customer> => {
    const {id} = before
    const version = sent ?? before.version
    const end = begin?.(id)
    const deleted = await write({
      target: id,
      actions: [erase ? 'erase' : 'delete'],
      versionBefore: version,
      request: () => deleteCustomer(client, {id, version}, erase),
      settle: deletion({client, before, look: run.commandLine(['customers', 'exists', id])}),
    }).catch((error: unknown) => {
      // Of one whose end nobody knows the next run asks the target.
      if (error instanceof ApiError || error instanceof WriteNotApplied) end?.()
      throw error
    })
    await forget(id)
    end?.()
    return deleted
  }
  const idOf = ({id}: Customer): string => id
  return each(customers, idOf, (before) => around(before.id, () => remove(before)))
}

/** Writes customers to a private file, as JSON Lines, before they are deleted. */
export function backUp(run: Run, path: string | undefined, customers: readonly Customer[]): void {
  if (path === undefined) return
  run.files.write(path, customers.map((customer) => `${jsonText(customer)}\n`).join(''))
  noteFile(run, path)
}

/** The failure of deletions of which some failed: names what is gone. */
export function someFailed(
  past: 'deleted' | 'erased',
  {results, failed}: {readonly results: readonly Customer[]; readonly failed: readonly FailedCustomer[]},
): Failure {
  const gone = results.map(({id}) => id)
  return new Failure('partial', 'SomeFailed', `${gone.length} ${past}, ${failed.length} failed.`, {
    hints: [
      ...(gone.length === 0 ? [] : [`${past}: ${gone.join(', ')}.`]),
      ...failed.slice(0, 3).map(({id, message}) => `${id}: ${message}`),
    ],
    details: failed,
    more: {[past]: gone},
  })
}

/** Asks for confirmation of a deletion, with name and quotes. Throws unless confirmed; `--yes` reads nothing more. */
export async function confirmDeletion(
  client: Client,
  customers: readonly Customer[],
  {erase, backup, ask, yes, masked}: Asking & {readonly erase: boolean; readonly backup?: string | undefined},
): Promise<void> {
  const lost = backup === undefined ? '' : ` Passwords, messages and quotes do not come back from ${backup}.`
  const verb = erase ? 'Erase' : 'Delete'
  const people = customers.slice(0, maxNamed).map((customer) => personOf(masked(customer)))
  const [only, another] = customers
  if (only && !another) {
    const quotes = yes ? undefined : await quotesOf(client, only)
    // Another server may not say when.
    const day = cellAt(only, 'createdAt').slice(0, 10)
    const about = [day && `created ${day}`, quotes === undefined ? '' : counted(quotes, 'quote'), 'no undo']
    await ask.confirm(`${verb} ${people[0]} (${about.filter((one) => one !== '').join(', ')})?${lost}`)
    return
  }
  const others = customers.length - people.length
  const named = `${people.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  await ask.confirm(`${verb} ${customers.length} customers: ${named} (no undo)?${lost}`)
}

const maxNamed = 3

/** How many quotes a customer has; undefined if the client may not read them or no answer came. */
async function quotesOf(client: Client, {id}: {readonly id: string}): Promise<number | undefined> {
  try {
    const count = await relatedCount(client, 'quotes', {where: 'customer(id = :id)', 'var.id': id})
    return typeof count === 'number' ? count : undefined
  } catch (error) {
    if (error instanceof Unreachable) return undefined
    throw error
  }
}
