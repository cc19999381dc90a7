import type {MessageDraft, VersionedMessage} from '../../domain/action.js'
import {uniqueKeysOf, valuesOfProject} from '../../domain/collections/index.js'
import type {Attribution} from '../../domain/customers/customer.js'
import {userIdentifiers} from '../../domain/customers/fields.js'
import {clashOf} from '../../domain/customers/identity.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {isoTime} from '../../domain/iso-time.js'
import {jsonWith, keptJsonText, withJsonText} from '../../domain/json-text.js'
import {
  type Change,
  type Document,
  Missing,
  type Put,
  REALM,
  type Requirement,
  UniqueConflict,
  VersionConflict,
} from '../../store/store.js'
import {limits} from '../../work/limits.js'
import {inTurns} from '../../work/time-slices.js'
import {collectionOf} from './collection-table.js'
import type {Context} from './context.js'
import {dated} from './retention.js'

/** The value of `createdBy` and `lastModifiedBy`: the client of the token, and who it is bound to. */
export function attributionOf({principal, externalUserId}: Context): Attribution {
  if (principal.kind !== 'bearer') return {isPlatformClient: false}
  const {clientId, customerId, anonymousId} = principal
  return {
    clientId,
    isPlatformClient: false,
    ...(externalUserId !== undefined && {externalUserId}),
    ...(customerId !== undefined && {customer: {typeId: 'customer', id: customerId}}),
    ...(anonymousId !== undefined && {anonymousId}),
  }
}

export interface Resource extends Document {
  readonly key?: string
  readonly createdAt: string
  readonly lastModifiedAt: string
  readonly versionModifiedAt?: string
  readonly lastMessageSequenceNumber?: number
  readonly lastModifiedBy?: Attribution
  readonly createdBy?: Attribution
}

export interface Revision<R extends Resource> {
  readonly resource: R
  readonly messages: readonly Put[]
}

/**
 * The resource as it is stored after a request, stamped once, and its messages with envelopes and sequence numbers
 * (decisions 6 and 34). Without enabled messages none are kept.
 */
export function revised<R extends Resource>(
  context: Context,
  typeId: string,
  next: R,
  drafts: readonly VersionedMessage[],
): Revision<R> {
  const stamped = stampedBy(context, next)
  if (drafts.length === 0) return {resource: stamped, messages: []}
  const first = (next.lastMessageSequenceNumber ?? 0) + 1
  const messages = drafts.map((draft, at) => messageOf(context, draft, envelopeOf(typeId, next, draft, first + at)))
  const resource = {...stamped, lastMessageSequenceNumber: first + drafts.length - 1}
  return {resource, messages: context.project.messages.enabled ? messages : []}
}

/** As `revised`, for a new resource and the one message that shows it whole, as `member`. */
export function created<R extends Resource>(
  context: Context,
  typeId: string,
  next: R,
  {type, member}: {readonly type: string; readonly member: string},
): Revision<R> {
  const shown = stampedBy(context, next)
  // The JSON of the resource is made once, for itself, for the message and for the reply.
  const json = JSON.stringify(shown)
  const resource = withMembers(shown, {lastMessageSequenceNumber: 1})
  withJsonText(resource, jsonWith(json, 'lastMessageSequenceNumber', '1'))
  if (!context.project.messages.enabled) return {resource, messages: []}
  const bare = messageOf(context, {type, payload: {}}, envelopeOf(typeId, next, {resourceVersion: 1}, 1))
  const doc = withMembers(bare.doc, {[member]: shown})
  return {
    resource,
    messages: [{kind: 'message', expect: 0, doc, json: jsonWith(JSON.stringify(bare.doc), member, json)}],
  }
}

function stampedBy<R extends Resource>(context: Context, next: R): R {
  const now = isoTime(context.now)
  const by = attributionOf(context)
  if (next.version > 1) return {...next, versionModifiedAt: now, lastModifiedAt: now, lastModifiedBy: by}
  const stamped: {-readonly [Name in keyof Resource]: Resource[Name]} = defined<Resource>(next)
  stamped.versionModifiedAt = now
  stamped.lastModifiedAt = now
  stamped.lastModifiedBy = by
  stamped.createdAt = now
  stamped.createdBy = by
  return stamped as R
}

/** A copy with further members: Node 20 takes four times as long to spread an object and to add to it. */
const withMembers = <O extends object, M extends object>(object: O, members: M): O & M =>
  Object.assign({}, object, members)

const envelopeOf = (
  typeId: string,
  next: Resource,
  {resourceVersion}: Pick<VersionedMessage, 'resourceVersion'>,
  sequenceNumber: number,
): Envelope => ({
  sequenceNumber,
  resource: {typeId, id: next.id},
  resourceVersion,
  resourceUserProvidedIdentifiers: identifiersOf(next),
})

interface Envelope {
  readonly sequenceNumber: number
  readonly resource: {readonly typeId: string; readonly id: string}
  readonly resourceVersion: number
  readonly resourceUserProvidedIdentifiers?: object | undefined
}

/** A message as a document. Source: API › Messages. */
export function messageOf(context: Context, draft: MessageDraft, envelope: Envelope): Put {
  const now = isoTime(context.now)
  const by = attributionOf(context)
  const {sequenceNumber, resource, resourceVersion, resourceUserProvidedIdentifiers} = envelope
  const doc = {
    id: context.runtime.secrets.uuid(),
    version: 1,
    sequenceNumber,
    resource,
    resourceVersion,
    ...(resourceUserProvidedIdentifiers && {resourceUserProvidedIdentifiers}),
    type: draft.type,
    createdAt: now,
    lastModifiedAt: now,
    createdBy: by,
    lastModifiedBy: by,
    ...defined(draft.payload),
  }
  return {kind: 'message', expect: 0, doc: doc as Document}
}

function identifiersOf(resource: object): object | undefined {
  let identifiers: Record<string, unknown> | undefined
  for (const name of userIdentifiers) {
    const value: unknown = Reflect.get(resource, name)
    if (value === undefined) continue
    identifiers ??= {}
    identifiers[name] = value
  }
  return identifiers
}

export const putOf = (kind: string, expect: number, doc: Document): Put => ({
  kind,
  expect,
  doc,
  uniqueKeys: uniqueKeysOf(kind, doc),
})

/** Requires the project as it was read if a resource takes over values of it (decision 35). */
export function projectRequired({project}: Context, kind: string, next: Document, before?: Document): Requirement[] {
  const values = valuesOfProject(kind, next)
  if (values === undefined || (before && values === valuesOfProject(kind, before))) return []
  return [{kind: 'project', project: REALM, require: project.id, version: project.version}]
}

/** The resource that a commit writes, for the error of a conflict. */
type Subject = Pick<Document, 'id'>

/** Throws ResourceSizeLimitExceeded for the JSON of a document: bodies are smaller, but updates accumulate. */
function checkSize(kind: string, json: string): void {
  const mostBytes = collectionOf(kind)?.mostBytes ?? limits.documentBytes
  // A character takes three bytes at most.
  if (json.length * 3 > mostBytes && Buffer.byteLength(json) > mostBytes) {
    throw ApiError.of('ResourceSizeLimitExceeded', {mostBytes})
  }
}

/** A new one: one that loses the value of its token keeps its date. */
const isMessage = (change: Change | Requirement): change is Put =>
  change.kind === 'message' && 'doc' in change && change.expect === 0

/** The changes with the JSON of their documents, which is made here; the subject keeps its own, for the reply. */
function* withJson(subject: Subject, changes: readonly (Change | Requirement)[]) {
  const made: (Change | Requirement)[] = []
  for (const change of changes) {
    yield undefined
    if (!('doc' in change)) {
      made.push(change)
      continue
    }
    const {doc} = change
    const json = doc === subject ? keptJsonText(doc) : (change.json ?? JSON.stringify(doc))
    checkSize(change.kind, json)
    made.push(json === change.json ? change : withMembers(change, {json}))
  }
  return made
}

/**
 * Commits to the project and translates conflicts of the store into errors of the API. Throws DuplicateField,
 * LockedField, ConcurrentModification, ReferencedResourceNotFound and ResourceSizeLimitExceeded.
 */
export async function commit(
  context: Context,
  subject: Subject,
  changes: readonly (Change | Requirement)[],
  complete?: () => Promise<readonly Change[]>,
): Promise<void> {
  const making = inTurns(withJson(subject, changes))
  const made = making instanceof Promise ? await making : making
  const datedMessages = () => made.filter(isMessage).map((put) => dated(put, isoTime(context.runtime.clock())))
  const others = made.filter((change) => !isMessage(change))
  try {
    // What is completed takes its time: a password is hashed. Messages are dated after that.
    const completed = complete && (async () => [...(await complete()), ...datedMessages()])
    const first = completed ? others : [...others, ...datedMessages()]
    await context.runtime.state.commit(context.project.key, first, completed)
  } catch (error) {
    if (error instanceof Missing) {
      throw ApiError.of('ReferencedResourceNotFound', {typeId: error.kind, id: error.id}, {cause: error})
    }
    if (error instanceof UniqueConflict) throw clashOf(error.key, error.state, subject)
    if (error instanceof VersionConflict) throw concurrentModification(error, subject.id)
    throw error
  }
}

export const concurrentModification = (error: VersionConflict, resourceId: string): ApiError =>
  ApiError.of(
    'ConcurrentModification',
    {resourceId, expectedVersion: error.expected, currentVersion: error.current},
    {cause: error},
  )
