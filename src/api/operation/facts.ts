import type {Facts, ReferencedResource} from '../../domain/action.js'
import {isWritable, writables} from '../../domain/collections/index.js'
import {distinct, FoundReferences} from '../../domain/found-references.js'
import {isoTime} from '../../domain/iso-time.js'
import type {WantedReference} from '../../domain/references.js'
import type {Document, Requirement} from '../../store/store.js'
import {inSlices} from '../../work/time-slices.js'
import {collectionOf} from './collection-table.js'
import type {Context} from './context.js'
import {documentBy} from './read.js'

/** Reads the references of a request, each once. References by id to types not stored here are accepted unread. */
async function resolved(context: Context, wanted: readonly WantedReference[]): Promise<FoundReferences> {
  const found = new FoundReferences()
  await inSlices(distinct(wanted), async (reference) => {
    const {typeId, id, key} = reference
    if (!collectionOf(typeId)) {
      if (id !== undefined) found.add(reference, {id})
      return
    }
    const document = await documentBy<Document>(context, typeId, id === undefined ? {key: `${key}`} : {id})
    if (document) found.add(reference, document as unknown as ReferencedResource)
  })
  return found
}

/**
 * Reads the facts of a fold or a draft, all that would need I/O, before it starts. Also returns what the same commit
 * must require: documents that have to exist when references to them are stored.
 */
export function factsFor(context: Context, wanted: readonly WantedReference[]): RequestFacts | Promise<RequestFacts> {
  if (wanted.length === 0) return factsOf(context, none, nothingFound)
  return resolved(context, wanted).then((found) => factsOf(context, requiredOf(wanted, found), found))
}

type RequestFacts = Facts & {readonly required: readonly Requirement[]}

/** Of a request without references, as most are. */
const nothingFound = new FoundReferences()
const none: readonly Requirement[] = []

function factsOf(
  {runtime, project, now}: Context,
  required: readonly Requirement[],
  found: FoundReferences,
): RequestFacts {
  return {
    required,
    now: isoTime(now),
    newAddressId: () => runtime.secrets.token(6),
    newPasswordMask: () => `****${runtime.secrets.token(3)}`,
    languages: project.languages,
    limits: {customerGroups: runtime.settings.maxGroupsPerCustomer},
    resolve: found.resolve,
  }
}

/** Kinds of which only unchanging members matter to a reference: a commit requires them at any version. */
export const atAnyVersion: Readonly<Record<string, string>> = {
  store: 'its key, and that it is there',
  'customer-group': 'its id, and that it is there',
}

/** Kinds whose content decides whether others may refer to them: a commit requires the version that was read. */
export const decisiveKinds = writables.map(({typeId}) => typeId).filter((kind) => !(kind in atAnyVersion))

const requiredOf = (wanted: readonly WantedReference[], found: FoundReferences): readonly Requirement[] =>
  distinct(wanted).flatMap((reference) => {
    const {typeId: kind} = reference
    const resource = isWritable(kind) ? found.find(reference) : undefined
    if (!resource) return []
    const {id, version} = resource as ReferencedResource & Document
    return [{kind, require: id, ...(kind in atAnyVersion ? {} : {version})}]
  })
