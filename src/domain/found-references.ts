import type {Facts, ReferencedResource} from './action.js'
import {defined} from './equal.js'
import {ApiError} from './errors.js'
import type {WantedReference} from './references.js'

const nameOf = ({typeId, id, key}: WantedReference): string =>
  id === undefined ? `${typeId}/key/${key}` : `${typeId}/id/${id}`

export const distinct = (references: readonly WantedReference[]): WantedReference[] => [
  ...new Map(references.map((reference) => [nameOf(reference), reference])).values(),
]

/** The referenced resources that were found, for `resolve` of the facts of a fold. */
export class FoundReferences {
  readonly #found = new Map<string, ReferencedResource>()

  /** Adds a resource. An action that refers to it by key stores its id, by which a later action finds it. */
  add(reference: WantedReference, resource: ReferencedResource): void {
    this.#found.set(nameOf(reference), resource)
    this.#found.set(nameOf({typeId: reference.typeId, id: resource.id}), resource)
  }

  find(reference: WantedReference): ReferencedResource | undefined {
    return this.#found.get(nameOf(reference))
  }

  /** The resource. Throws ReferencedResourceNotFound. */
  readonly resolve: Facts['resolve'] = (reference) => {
    const resource = this.find(reference)
    if (resource) return resource
    const {typeId, id, key} = reference
    throw ApiError.of('ReferencedResourceNotFound', {typeId, ...defined({id, key})})
  }
}
