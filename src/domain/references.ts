import * as v from 'valibot'

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

/** The pattern of every user-defined key of the API. */
const keyPattern = /^[A-Za-z0-9_-]{2,256}$/
export const isKey = (text: string): boolean => text.length <= 256 && keyPattern.test(text)

/** A resource identifier whose type is known by its position; a differing `typeId` is refused. */
export const identifierOf = <const T extends string>(typeId: T) =>
  v.pipe(
    v.object({
      typeId: v.optional(v.literal(typeId, `expected the typeId '${typeId}'`)),
      id: v.optional(v.string()),
      key: v.optional(v.string()),
    }),
    v.check(
      ({id, key}) => (id === undefined) !== (key === undefined),
      `expected a ${typeId} identifier with either 'id' or 'key', and not both`,
    ),
    v.transform(({id, key}): ResourceIdentifier & {typeId: T} =>
      id === undefined ? {typeId, key: key ?? ''} : {typeId, id},
    ),
  )
