import {checkAgreed} from '../../api/collections/type-fields.js'
import {inStoredForm, typesOf} from '../../api/documents/custom-shapes.js'
import {ownCollection} from '../../api/operation/collection-table.js'
import type {Type} from '../../domain/collections/type.js'
import {shapesIn} from '../../query/field-shapes.js'
import type {Store} from '../../store/store.js'

/**
 * Brings moments and times of seeded resources into the form in which the service stores them (decision 62). Throws
 * InvalidSetup for types that give a field two types.
 */
export async function storedFormOf(
  state: Store,
  projectKey: string,
  resources: ReadonlyMap<string, readonly object[]>,
) {
  const types = (resources.get('type') ?? []) as readonly Type[]
  const all = [...(await typesOf(state, projectKey)), ...types]
  for (const [at, type] of all.entries()) {
    for (const other of all.slice(0, at)) checkAgreed('InvalidSetup', type.fieldDefinitions ?? [], type, other)
  }
  const custom = shapesIn(all)
  return <R extends object>(typeId: string, resource: R): R =>
    inStoredForm(resource, ownCollection(typeId).shape, custom)
}
