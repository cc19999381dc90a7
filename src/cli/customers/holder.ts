import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import {type Ref, refText} from '../input/refs.js'
import {textAt} from '../output/fields.js'
import {Failure} from '../process/failure.js'
import type {Run} from '../run/run.js'
import {customerOf} from './calls.js'
import {candidateOf} from './candidates.js'

/** Values that one customer has alone, by the names of their fields, and the references by them. */
const alone = new Map<string, Ref['by']>([
  ['email', 'email'],
  ['key', 'key'],
  ['customerNumber', 'number'],
])

/** Rethrows the refusal of a duplicate value, naming the customer who has it if the target tells. */
export async function namingHolder<T>(client: Client, run: Pick<Run, 'commandLine'>, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'DuplicateField') throw error
    const holder = await holderOf(client, error)
    if (holder === undefined) throw error
    const {code, statusCode, correlationId, message, errors} = error
    const ref = holder.key === undefined ? holder.id : refText({by: 'key', value: holder.key})
    throw new Failure('conflict', code, message, {
      ...{statusCode, correlationId},
      hints: ['Choose another value.', `See who has it: ${run.commandLine(['customers', 'card', ref])}`],
      details: [...errors, candidateOf(holder)],
    })
  }
}

async function holderOf(client: Client, {errors}: ApiError): Promise<Customer | undefined> {
  const taken = errors.find((entry) => alone.has(textAt(entry, 'field')))
  const [by, value] = [alone.get(textAt(taken, 'field')), textAt(taken, 'duplicateValue')]
  if (by === undefined || value === '') return undefined
  return customerOf(client, {by, value}).catch(() => undefined)
}
