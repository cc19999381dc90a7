import type {Facts, Resolved} from '../../domain/action.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {ResourceIdentifier} from '../../domain/references.js'
import type {Document} from '../../store/store.js'
import {inSlices} from '../../time-slices.js'
import {collectionOf} from './collection-table.js'
import {timestamp} from './commit.js'
import type {Context} from './context.js'

type Wanted = ResourceIdentifier & {readonly typeId: string}

const nameOf = ({typeId, id, key}: Wanted): string => (id === undefined ? `${typeId}/key/${key}` : `${typeId}/id/${id}`)

/** Reads the references of a request, each once. References by id to types not stored here are accepted unread. */
async function resolved(context: Context, wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Resolved>> {
  const {platform, project} = context
  const found = new Map<string, Resolved>()
  const unique = new Map(wanted.map((reference) => [nameOf(reference), reference]))
  await inSlices([...unique], async ([name, {typeId, id, key}]) => {
    if (!collectionOf(typeId)) {
      if (id !== undefined) found.set(name, {id})
      return
    }
    const document =
      id === undefined
        ? await platform.state.find<Document>(project.key, typeId, `key:${key}`)
        : await platform.state.get<Document>(project.key, typeId, id)
    if (!document) return
    found.set(name, document as unknown as Resolved)
    // An action that refers to a resource by key stores its id, by which a later action finds it.
    found.set(nameOf({typeId, id: document.id}), document as unknown as Resolved)
  })
  return found
}

/** The facts of a fold or a draft: everything that would need I/O, read before it starts. */
export async function factsFor(context: Context, wanted: readonly Wanted[]): Promise<Facts> {
  const {platform, project} = context
  const found = await resolved(context, wanted)
  return {
    now: timestamp(context.now),
    newAddressId: () => platform.secrets.token(6),
    newPasswordMask: () => `****${platform.secrets.token(3)}`,
    languages: project.languages,
    limits: {customerGroups: platform.settings.maxGroupsPerCustomer},
    resolve: (reference) => {
      const resource = found.get(nameOf(reference))
      if (resource) return resource
      const {typeId, id, key} = reference
      throw ApiError.of('ReferencedResourceNotFound', {
        typeId,
        ...defined({id, key}),
      })
    },
  }
}
