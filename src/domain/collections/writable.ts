import type * as v from 'valibot'
import type {Facts, MessageDraft, Registry} from '../action.js'
import type {WantedReference} from '../references.js'

export interface Resource {
  readonly id: string
  readonly version: number
  readonly createdAt: string
  readonly lastModifiedAt: string
  readonly key?: string
}

/** A resource without what the service keeps of every one. */
export type MembersOf<R extends Resource> = Omit<R, 'id' | 'version' | 'createdAt' | 'lastModifiedAt'>

/** A collection that can be written over HTTP (decision 35); a draft `D` creates a resource `R`. */
export interface WritableCollection<R extends Resource = Resource, D = unknown> {
  /** Its type id in the table of collections, which says what its path, label and scope are. */
  readonly typeId: string
  readonly draft: v.GenericSchema<unknown, D>
  readonly actions: Registry<R>
  /** What a draft refers to, to be read before it becomes a resource. */
  references(draft: D): readonly WantedReference[]
  /** The members of a new resource beside id, version and times. Pure; throws what a rule of the draft breaks. */
  membersOf(draft: D, facts: Facts): MembersOf<R>
  /** Text members of which a project holds each value once. */
  readonly unique: readonly string[]
  /** A member whose values are those of the project, which keeps them while a resource has them. */
  readonly ofProject?: keyof R & string
  /** The messages of its creation and deletion, where the platform has them. */
  readonly messages?: {readonly created: (resource: R) => MessageDraft; readonly deleted: MessageDraft}
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds collections of every resource and draft
export type AnyWritable = WritableCollection<any, any>

export const writable = <R extends Resource, D>(collection: WritableCollection<R, D>): WritableCollection<R, D> =>
  collection
