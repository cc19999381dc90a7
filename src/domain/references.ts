import * as v from 'valibot'
import {optional} from './rules.js'

/** Points at a resource by id or key; exactly one of both (decision 12). */
export interface ResourceIdentifier {
  readonly typeId?: string
  readonly id?: string
  readonly key?: string
}

export interface Reference {
  readonly typeId: string
  readonly id: string
}

export interface KeyReference {
  readonly typeId: string
  readonly key: string
}

/** A resource identifier whose type is known by its position; a differing `typeId` is refused. */
export const identifierOf = <const T extends string>(typeId: T) =>
  v.pipe(
    v.object({
      typeId: optional(v.literal(typeId, `expected the typeId '${typeId}'`)),
      id: optional(v.string()),
      key: optional(v.string()),
    }),
    v.check(
      ({id, key}) => (id === undefined) !== (key === undefined),
      `expected a ${typeId} identifier with either 'id' or 'key', and not both`,
    ),
    v.transform(({id, key}): ResourceIdentifier & {typeId: T} =>
      id === undefined ? {typeId, key: key ?? ''} : {typeId, id},
    ),
  )

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A resource identifier as people write it: `key=KEY`, `id=ID`, a bare key or id. What is no text stays as it is. */
export function identifierFrom(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [, kind, name] = /^(id|key)=(.+)$/s.exec(value) ?? []
  if (kind !== undefined && name !== undefined) return {[kind]: name}
  return idForm.test(value) ? {id: value} : {key: value}
}

/** Several of them: a list, or a text with commas. */
export function identifiersFrom(value: unknown): unknown[] {
  const list = typeof value === 'string' && value !== '' ? value.split(',').map((part) => part.trim()) : value
  return Array.isArray(list) ? (list as unknown[]).map(identifierFrom) : []
}
