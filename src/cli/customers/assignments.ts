import {settersOf, settingAction, type UpdateAction} from '../../domain/action.js'
import {customerActions} from '../../domain/customers/actions/index.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {refuseSecretPath} from '../input/secret-arguments.js'
import {jsonIn} from '../output/fields.js'
import {didYouMean, Failure, invalidValue, usage} from '../process/failure.js'

export interface Assignment {
  readonly path: readonly string[]
  /** Absent: the field is emptied. */
  readonly value?: unknown
}

/**
 * `PATH=VALUE` for text, `PATH:=JSON` for anything else; custom fields take numbers and switches without the colon too.
 */
export function parseAssignment(text: string): Assignment {
  const [, path, colon, value] = /^([^=:]+)(:?)=(.*)$/s.exec(text) ?? []
  if (path === undefined || value === undefined) {
    throw usage(
      `'${text}' is not an assignment.`,
      'Write --set PATH=VALUE, or PATH:=JSON for numbers, switches and lists.',
    )
  }
  const steps = stepsOf(path)
  refuseSecretPath(steps, '--set')
  const json = jsonIn(value)
  if (colon === ':' && json === undefined)
    throw usage(`'${text}': what follows := is not JSON.`, 'Use = for plain text.')
  const isTyped = colon === ':' || steps[0] === 'custom' || steps.at(-2) === 'custom'
  return {path: steps, value: isTyped && json !== undefined ? json : value}
}

export const assignmentsIn = ({
  set = [],
  unset = [],
}: {
  set?: string[] | undefined
  unset?: string[] | undefined
}): Assignment[] => [...set.map(parseAssignment), ...unset.map((path) => ({path: stepsOf(path)}))]

function stepsOf(path: string): string[] {
  const steps = path.trim().split('.')
  if (steps.some((step) => step === ''))
    throw usage(`'${path}' is not a path.`, 'Write it like firstName or addresses.0.city.')
  return steps
}

/**
 * Finds addresses by position, key or id. A position means the address that was there at the first reading: a retry
 * reads the customer again and may find another one there.
 */
export class AddressNames {
  readonly #positions = new Map<string, string>()

  /** Throws a conflict for a position whose address somebody removed since. */
  find({addresses}: Customer, name: string): Customer['addresses'][number] | undefined {
    const meant = this.#positions.get(name)
    const found =
      meant === undefined
        ? addresses.find(({id, key}, index) => String(index) === name || key === name || id === name)
        : addresses.find(({id}) => id === meant)
    if (meant !== undefined && !found) {
      const message = `The address that was at position ${name} is gone: somebody removed it meanwhile.`
      throw new Failure('conflict', 'AddressGone', message, {hints: ['Look at the customer, then repeat.']})
    }
    if (found && addresses[Number(name)] === found) this.#positions.set(name, found.id)
    return found
  }
}

const setters = settersOf(customerActions)

/** Update actions for assignments in their order. Several to one address become one `changeAddress`. */
export function actionsOf(
  assignments: readonly Assignment[],
  customer: Customer,
  names = new AddressNames(),
): UpdateAction[] {
  const actions: UpdateAction[] = []
  const addresses = new Map<string, Record<string, unknown>>()
  for (const assignment of assignments) {
    const [field = '', ...rest] = assignment.path
    if (field === 'addresses') changeAddress(assignment, rest, {customer, addresses, actions, names})
    else if (field === 'custom') actions.push(customField(assignment, rest))
    else if (rest.length > 0) throw unknownField(assignment.path.join('.'))
    else actions.push(plainField(assignment, field))
  }
  return actions
}

function plainField({value}: Assignment, field: string): UpdateAction {
  const setter = setters.get(field)
  if (!setter) throw unknownField(field)
  return settingAction(setter, value)
}

/** Members that other commands change. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['isEmailVerified', 'Use `frontdesk customers verify-email REF`.'],
  ['password', 'Use `frontdesk customers reset-password REF`.'],
])

function unknownField(path: string): Error {
  const other = elsewhere.get(path)
  if (other !== undefined) return invalidValue(`'${path}' cannot be set.`, other)
  const known = [...setters.keys(), 'addresses', 'custom']
  return invalidValue(
    `'${path}' cannot be set.`,
    didYouMean(path.split('.')[0] ?? '', known),
    `Fields: ${known.join(', ')}.`,
  )
}

/**
 * `custom.points`, or `custom.fields.points` as the document has it. Any resource with custom fields has this action.
 */
export function customField({path, value}: Assignment, rest: readonly string[]): UpdateAction {
  const name = rest[0] === 'fields' && rest.length > 1 ? rest.slice(1) : rest
  if (name.length !== 1) throw invalidValue(`'${path.join('.')}' names no custom field.`, 'Write custom.NAME.')
  return {action: 'setCustomField', name: name[0], ...defined({value})}
}

interface Addressing {
  readonly customer: Customer
  /** Addresses as changed so far, by id: the same objects that the actions hold. */
  readonly addresses: Map<string, Record<string, unknown>>
  readonly actions: UpdateAction[]
  readonly names: AddressNames
}

/** `addresses.0.city`, `addresses.KEY.city` or `addresses.ID.city`: the API replaces addresses whole. */
function changeAddress(
  {path, value}: Assignment,
  rest: readonly string[],
  {customer, addresses, actions, names}: Addressing,
): void {
  const [which = '', member, ...deeper] = rest
  const found = names.find(customer, which)
  if (!found) throw invalidValue(`The customer has no address '${which}'.`, `Addresses: ${named(customer)}.`)
  if (member === undefined) {
    if (value !== undefined)
      throw invalidValue(`'${path.join('.')}' is a whole address.`, 'Name one of its members, or use --add-address.')
    actions.push({action: 'removeAddress', addressId: found.id})
    return
  }
  if (member === 'custom' && deeper.length === 1) {
    actions.push({
      action: 'setAddressCustomField',
      addressId: found.id,
      name: deeper[0],
      ...defined({value}),
    })
    return
  }
  if (deeper.length > 0 || member === 'id') throw invalidValue(`'${path.join('.')}' cannot be set.`)
  let address = addresses.get(found.id)
  if (!address) {
    const {id, ...members} = found
    address = {...members}
    addresses.set(id, address)
    actions.push({action: 'changeAddress', addressId: id, address})
  }
  if (value === undefined) delete address[member]
  else address[member] = value
}

const named = (customer: Customer): string =>
  customer.addresses.map(({id, key}, index) => [index, ...(key === undefined ? [] : [key]), id].join('/')).join(', ') ||
  'none'
