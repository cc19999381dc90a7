import type {Client, QueryValue} from '../../client/client.js'
import {customerOf} from '../customers/calls.js'
import {type FlagValues, textFlag, textsFlag} from '../input/flags.js'
import {type QueryFlags, whereOf} from '../input/query-options.js'
import {parseRef} from '../input/refs.js'
import {didYouMean, usage} from '../process/failure.js'
import type {ResolvedTarget} from '../target/target.js'

/** Which messages a command is about. */
export const selectFlags = {
  type: textsFlag('TYPE', 'Only this type, such as CustomerEmailChanged (repeatable).'),
  resource: textFlag('REF', 'Only about this resource: an id, or a customer.'),
}

export type SelectFlags = QueryFlags & FlagValues<typeof selectFlags>

/**
 * The predicates of a selection; every value is a variable. With `tokens`, messages about the tokens of a customer, which
 * are resources of their own, count as about the customer.
 */
export async function selection(
  client: Client,
  flags: SelectFlags,
  {target}: ResolvedTarget,
  {tokens = target.kind === 'embedded'}: {readonly tokens?: boolean} = {},
): Promise<Record<string, QueryValue>> {
  // Another server may have messages of more kinds.
  if (target.kind === 'embedded' && flags.type !== undefined) {
    const known = await messageTypes()
    checkTypes(flags.type, known, (type) => `There are no messages of type '${type}'.`)
  }
  const {where, ...variables} = whereOf(flags)
  const predicates = Array.isArray(where) ? [...(where as string[])] : []
  const query: Record<string, QueryValue> = {...variables}
  if (flags.type !== undefined) {
    predicates.push('type in :types')
    query['var.types'] = flags.type
  }
  if (flags.resource !== undefined) {
    const ref = parseRef(flags.resource)
    predicates.push(tokens ? 'resource(id = :resource) or customerId = :resource' : 'resource(id = :resource)')
    query['var.resource'] = ref.by === 'id' ? ref.value : (await customerOf(client, ref)).id
  }
  return predicates.length === 0 ? query : {...query, where: predicates}
}

/** Whether a message has the value of a one-time token, and nobody asked for it. */
export function hidesValue(message: object, reveal: readonly string[] = []): boolean {
  const {type, value} = message as {readonly type?: unknown; readonly value?: unknown}
  return value !== undefined && /Token/.test(String(type)) && !reveal.includes('value')
}

/** Masks the value of a one-time token unless `--reveal value` is given. */
export const withoutValue = <T extends object>(message: T, reveal: readonly string[] | undefined): T =>
  hidesValue(message, reveal) ? {...message, value: '***'} : message

/** The types of messages that the declared operations and update actions produce, sorted. */
export async function messageTypes(): Promise<readonly string[]> {
  const {operations} = await import('../../api/index.js')
  const produced = operations.flatMap(({messages = [], actions}) => [
    ...messages,
    ...[...(actions?.values() ?? [])].flatMap((action) => action.messages ?? []),
  ])
  return [...new Set(produced)].sort()
}

/**
 * Throws a usage error for the first type that is not known: an empty list would say that nothing happened. `message`
 * says what has no such type.
 */
export function checkTypes(asked: readonly string[], known: Iterable<string>, message: (type: string) => string): void {
  const all = new Set(known)
  const unknown = asked.find((type) => !all.has(type))
  if (unknown === undefined) return
  throw usage(message(unknown), didYouMean(unknown, all), 'Completion of --type offers all of them.')
}
