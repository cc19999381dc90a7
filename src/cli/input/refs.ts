import {canonicalEmail} from '../../domain/customers/identity.js'
import {isKey} from '../../domain/rules.js'
import {invalidValue, usage} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'
import {requiredArg, requiredArgs} from './flags.js'
import {readAll} from './secret-inputs.js'

/** What a reference names a resource by. A bare word is an id, a key or a customer number. */
const kinds = ['id', 'key', 'email', 'number', 'externalId', 'word'] as const

/** A reference (REF) to one resource, as people write it. */
export interface Ref {
  readonly by: (typeof kinds)[number]
  readonly value: string
}

const forms = 'an id, key=KEY, email=ADDRESS, number=CUSTOMER_NUMBER, externalId=ID, or a bare email address or word'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads a REF. Throws a usage error for an empty one or one of no kind, and InvalidValue for a key that can be none. */
export function parseRef(text: string): Ref {
  if (text.trim() === '') throw usage('A reference is empty.', `Give ${forms}.`)
  if (text === '-') throw usage('- reads references for commands that take several.', `Give ${forms}.`)
  if (text.length > 1024) throw usage('A reference is too long.', `Give ${forms}.`)
  const [, name, value = ''] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? []
  const by = kinds.find((kind) => kind === name && kind !== 'word')
  if (by === undefined && text.includes('@')) return {by: 'email', value: text}
  if (name !== undefined && by === undefined) throw usage(`Customers cannot be found by '${name}'.`, `Give ${forms}.`)
  if (by === undefined) return {by: uuid.test(text) ? 'id' : 'word', value: text}
  if (value === '') throw usage(`'${oneLine(text)}' names nothing.`, `Give ${forms}.`)
  if (by === 'key' && !isKey(value)) {
    throw invalidValue(`'${oneLine(value)}' cannot be a key.`, 'Keys are 2 to 256 letters, digits, - and _.')
  }
  return {by, value}
}

/** The predicate and variable that find a customer by what the API has no path for: its value is never part of the predicate. */
export function criterionOf({by, value}: Ref): Record<string, string> {
  if (by === 'email') return {where: 'lowercaseEmail = :ref', 'var.ref': canonicalEmail(value)}
  return {where: `${by === 'externalId' ? 'externalId' : 'customerNumber'} = :ref`, 'var.ref': value}
}

/** The reference as a person would write it. */
export const refText = ({by, value}: Ref): string => oneLine(by === 'id' || by === 'word' ? value : `${by}=${value}`)

export const refArg = (what: string) => requiredArg(`${what}: ${forms}`)

export const refsArg = (what: string) => requiredArgs(`${what}: ${forms}; - reads them from stdin, one a line`)

/** References from arguments; `-` stands for the lines of stdin. */
export async function parseRefs(texts: readonly string[], io: Io): Promise<Ref[]> {
  if (!texts.includes('-')) return texts.map(parseRef)
  if (texts.length > 1) throw usage('- stands alone.', 'Give references as arguments or on stdin, not both.')
  const lines = (await readAll(io, 64 * 1024 * 1024)).split(/\r?\n/).filter((line) => line.trim() !== '')
  if (lines.length === 0) throw usage('stdin holds no reference.', 'Write one on each line.')
  return lines.map((line) => parseRef(line.trim()))
}
