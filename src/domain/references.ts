import * as v from 'valibot'
import {optional} from './rules.js'

/** Refers to a resource by exactly one of id and key (decision 12). */
export interface ResourceIdentifier {
  readonly typeId?: string
  readonly id?: string
  readonly key?: string
}

/** A reference that is to be read before a fold. */
export type WantedReference = ResourceIdentifier & {readonly typeId: string}

export interface Reference {
  readonly typeId: string
  readonly id: string
}

export interface KeyReference {
  readonly typeId: string
  readonly key: string
}

/** The schema of a resource identifier of one type; a differing `typeId` is refused. */
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

/** A resource identifier from its text: `key=KEY`, `id=ID`, a bare key or id. Other values are returned unchanged. */
export function identifierFrom(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [, kind, name] = /^(id|key)=(.+)$/s.exec(value) ?? []
  if (kind !== undefined && name !== undefined) return {[kind]: name}
  return idForm.test(value) ? {id: value} : {key: value}
}

/** Resource identifiers from a list or a comma-separated text. */
export function identifiersFrom(value: unknown): unknown[] {
  const list = typeof value === 'string' && value !== '' ? value.split(',').map((part) => part.trim()) : value
  return Array.isArray(list) ? (list as unknown[]).map(identifierFrom) : []
}
