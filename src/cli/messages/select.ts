import {Flags} from '@oclif/core'
import type {Client, QueryValue} from '../../client/client.js'
import {customerOf} from '../customers/calls.js'
import type {QueryFlags} from '../input/query-options.js'
import {whereOf} from '../input/query-options.js'
import {parseRef} from '../input/refs.js'

/** Which messages a command is about. */
export const selectFlags = {
  type: Flags.string({
    helpValue: 'TYPE',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Only this type, such as CustomerEmailChanged (repeatable).',
  }),
  resource: Flags.string({helpValue: 'REF', summary: 'Only about this resource: an id, or a customer.'}),
}

export interface SelectFlags extends QueryFlags {
  readonly type?: readonly string[] | undefined
  readonly resource?: string | undefined
}

/** The predicates of a selection; every value is a variable. */
export async function selection(client: Client, flags: SelectFlags): Promise<Record<string, QueryValue>> {
  const {where, ...variables} = whereOf(flags)
  const predicates = Array.isArray(where) ? [...(where as string[])] : []
  const query: Record<string, QueryValue> = {...variables}
  if (flags.type !== undefined) {
    predicates.push(`type in (${flags.type.map((_, index) => `:type${index}`).join(', ')})`)
    for (const [index, type] of flags.type.entries()) query[`var.type${index}`] = type
  }
  if (flags.resource !== undefined) {
    const ref = parseRef(flags.resource)
    predicates.push('resource(id = :resource)')
    query['var.resource'] = ref.by === 'id' ? ref.value : (await customerOf(client, ref)).id
  }
  return predicates.length === 0 ? query : {...query, where: predicates}
}
