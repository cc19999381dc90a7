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
