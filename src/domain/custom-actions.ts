import * as v from 'valibot'
import {type AnyAction, actionOf, type MessageDraft} from './action.js'
import {
  type CustomFields,
  customFieldErrors,
  customFieldsOf,
  type FieldChange,
  FieldValues,
  referencesIn,
  withCustomField,
  withTypeOf,
} from './custom-fields.js'
import {withMember} from './equal.js'
import type {ApiError} from './errors.js'
import {identifierOf} from './references.js'
import {optional, Text} from './rules.js'

/** `setCustomType` and `setCustomField` for holders of custom fields: a resource, or an address inside one. */

type Body = Readonly<Record<string, unknown>>

export interface Customizable {
  readonly custom?: CustomFields
}

export interface CustomHolder<R> {
  /** Between `set` and `Type` or `Field`: `Custom`, `AddressCustom`. */
  readonly infix: string
  /** For summaries: `of an address`. Absent: of the resource itself. */
  readonly of?: string
  /** The resource type that a Type must be for. */
  readonly resourceTypeId: string
  /** Prefix of its message types: `CustomerCustom`. Absent: it has none. */
  readonly messages?: string
  /** How its messages name the Type and the value before: `oldTypeId`, or `previousTypeId`. */
  readonly before?: 'old' | 'previous'
  readonly fields: readonly string[]
  readonly my?: true
  /** Members of the body that select the holder in its resource; messages repeat them. */
  readonly members?: v.ObjectEntries
  find(resource: R, body: Body): Customizable | undefined
  missing(body: Body): ApiError
  /** The resource with the custom fields of a holder replaced; the same object if that changes nothing. */
  write(resource: R, holder: Customizable, custom: CustomFields | undefined): R
}

type Own = Pick<CustomHolder<unknown>, 'resourceTypeId' | 'messages' | 'before' | 'my'>

/** Both actions on the custom fields of a resource itself. */
export const ownCustomActions = <R extends Customizable>(named: Own): readonly AnyAction<R>[] =>
  customActions<R>({
    ...named,
    infix: 'Custom',
    fields: ['custom'],
    find: (resource) => resource,
    missing: () => {
      throw new Error('a resource holds its own custom fields')
    },
    write: (resource, _, custom) => withMember<Customizable, 'custom'>(resource, 'custom', custom) as R,
  })

/** Both actions on the custom fields of a holder inside a resource. */
export const customActions = <R>(place: CustomHolder<R>): readonly AnyAction<R>[] => [
  typeAction(place),
  fieldAction(place),
]

function declared<R>({infix, of, messages, my}: CustomHolder<R>, subject: 'Type' | 'Field', steps: readonly string[]) {
  return {
    name: `set${infix}${subject}`,
    whose: of === undefined ? '' : ` ${of}`,
    types: messages === undefined ? [] : steps.map((step) => `${messages}${subject}${step}`),
    flags: my ? {my} : {},
  }
}

function holderIn<R>(place: CustomHolder<R>, resource: R, body: Body): Customizable {
  const holder = place.find(resource, body)
  if (!holder) throw place.missing(body)
  return holder
}

function messagesOf<R>(
  {messages, members}: CustomHolder<R>,
  body: Body,
  ending: string,
  payload: object,
): MessageDraft[] {
  if (messages === undefined) return []
  const which = Object.fromEntries(Object.keys(members ?? {}).map((name) => [name, body[name]]))
  return [{type: `${messages}${ending}`, payload: {...payload, ...which}}]
}

function typeAction<R>(place: CustomHolder<R>): AnyAction<R> {
  const {name, whose, types, flags} = declared(place, 'Type', ['Set', 'Removed'])
  const members = {...place.members, type: optional(identifierOf('type')), fields: optional(FieldValues)}
  return actionOf<R>()({
    ...flags,
    name,
    fields: place.fields,
    summary: `set the custom type${whose} and its fields, or remove them`,
    schema: v.pipe(
      v.looseObject(members),
      v.transform((body): unknown => withTypeOf(body)),
      v.object(members),
    ),
    messages: types,
    errors: customFieldErrors,
    references: ({type, fields}) => (type ? [{...type, typeId: 'type'}, ...referencesIn(fields)] : []),
    apply: (resource, body, facts) => {
      const holder = holderIn(place, resource, body)
      const {type, fields} = body
      const custom = type && customFieldsOf({type, fields}, place.resourceTypeId, facts)
      const previous = holder.custom ? {[`${place.before ?? 'previous'}TypeId`]: holder.custom.type.id} : {}
      return {
        next: place.write(resource, holder, custom),
        messages: custom
          ? messagesOf(place, body, 'TypeSet', {customFields: custom, ...previous})
          : messagesOf(place, body, 'TypeRemoved', previous),
      }
    },
  })
}

function payloadOf(change: FieldChange, name: string, before: 'old' | 'previous'): object {
  const {kind, value, previousValue} = change
  if (kind === 'Removed') return {name}
  return kind === 'Added' ? {name, value} : {name, value, [`${before}Value`]: previousValue}
}

function fieldAction<R>(place: CustomHolder<R>): AnyAction<R> {
  const {name, whose, types, flags} = declared(place, 'Field', ['Added', 'Changed', 'Removed'])
  return actionOf<R>()({
    ...flags,
    name,
    fields: place.fields,
    summary: `set one custom field${whose}, or remove its value`,
    schema: v.object({...place.members, name: Text, value: v.optional(v.unknown())}),
    messages: types,
    errors: customFieldErrors,
    references: (body, resource) => {
      const custom = place.find(resource, body)?.custom
      return [...(custom ? [custom.type] : []), ...referencesIn(body.value)]
    },
    apply: (resource, body, facts) => {
      const holder = holderIn(place, resource, body)
      const change = withCustomField(holder.custom, body.name, body.value, facts)
      return {
        next: place.write(resource, holder, change.next),
        messages: messagesOf(
          place,
          body,
          `Field${change.kind}`,
          payloadOf(change, body.name, place.before ?? 'previous'),
        ),
      }
    },
  })
}
