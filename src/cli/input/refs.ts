import {Args} from '@oclif/core'
import {Failure, invalidValue, usage} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {oneLine} from '../render/sanitize.js'
import {readAll} from '../secrets/secret-inputs.js'

/** A reference (REF) to one resource, as people write it. */
export type Ref =
  | {readonly by: 'id'; readonly value: string}
  | {readonly by: 'key'; readonly value: string}
  | {readonly by: 'email'; readonly value: string}
  | {readonly by: 'number'; readonly value: string}

const forms = 'an id, key=KEY, email=ADDRESS, number=CUSTOMER_NUMBER, or a bare email address'
const keyPattern = /^[A-Za-z0-9_-]{2,256}$/
const maxLength = 1024

/** Reads a REF. Throws a usage error for an empty one and InvalidValue for a key that can be none. */
export function parseRef(text: string): Ref {
  if (text.trim() === '') throw usage('A reference is empty.', `Give ${forms}.`)
  if (text.length > maxLength) throw usage('A reference is too long.', `Give ${forms}.`)
  const [, kind, value = ''] = /^(id|key|email|number)=(.*)$/s.exec(text) ?? []
  if (kind !== undefined && value === '') throw usage(`'${oneLine(text)}' names nothing.`, `Give ${forms}.`)
  if (kind === undefined) return text.includes('@') ? {by: 'email', value: text} : {by: 'id', value: text}
  if (kind === 'key' && !keyPattern.test(value)) {
    throw invalidValue(`'${oneLine(value)}' cannot be a key.`, 'Keys are 2 to 256 letters, digits, - and _.')
  }
  return {by: kind as Ref['by'], value}
}

/** The predicate and variable that find a reference by email or number: its value never becomes part of the predicate. */
export const criterionOf = ({by, value}: Ref): Record<string, string> =>
  by === 'email'
    ? {where: 'lowercaseEmail = :ref', 'var.ref': value.trim().toLowerCase()}
    : {where: 'customerNumber = :ref', 'var.ref': value}

/** The reference as a person would write it. */
export const refText = ({by, value}: Ref): string => oneLine(by === 'id' ? value : `${by}=${value}`)

export const refArg = (what: string) =>
  Args.string({required: true, ignoreStdin: true, description: `${what}: ${forms}`})

export const refsArg = (what: string) =>
  Args.string({
    multiple: true,
    required: true,
    ignoreStdin: true,
    description: `${what}: ${forms}; - reads them from stdin, one a line`,
  })

/** References from arguments; `-` stands for the lines of stdin. */
export async function parseRefs(texts: readonly string[], io: Io): Promise<Ref[]> {
  if (!texts.includes('-')) return texts.map(parseRef)
  if (texts.length > 1) throw usage('- stands alone.', 'Give references as arguments or on stdin, not both.')
  const lines = (await readAll(io, 64 * 1024 * 1024)).split(/\r?\n/).filter((line) => line.trim() !== '')
  if (lines.length === 0) throw usage('stdin holds no reference.', 'Write one on each line.')
  return lines.map((line) => parseRef(line.trim()))
}

/** The only result of a query. Throws ResourceNotFound for none and ReferenceAmbiguous for several. */
export function exactlyOne<T extends {readonly id: string}>(found: readonly T[], ref: Ref, what: string): T {
  const [only, another] = found
  if (!only) {
    throw new Failure('notFound', 'ResourceNotFound', `There is no ${what} with ${refText(ref)}.`, {
      hints: ['Check the value, and the target: `frontdesk profiles show`.'],
    })
  }
  if (!another) return only
  throw new Failure('conflict', 'ReferenceAmbiguous', `Several ${what}s have ${refText(ref)}.`, {
    hints: ['Choose a store with --store KEY, or use an id.'],
    details: found.map(({id, ...rest}) => ({
      id,
      ...('key' in rest ? {key: rest.key} : {}),
      ...('stores' in rest ? {stores: rest.stores} : {}),
    })),
  })
}
