import * as v from 'valibot'

/** A moment of a reply: text that predicates compare by time. */
export const Moment = v.pipe(v.string(), v.description('ISO 8601'))
export const Day = v.pipe(v.string(), v.description('YYYY-MM-DD'))

/** What predicates may name; a shape of the query language as plain data. */
export type ShapeOf =
  | {readonly leaf: 'string' | 'number' | 'boolean' | 'date' | 'datetime'; readonly array?: true}
  | {readonly members: Readonly<Record<string, ShapeOf>>; readonly array?: true}
  | {readonly open: true; readonly array?: true}
  | {readonly fieldsOf: string; readonly array?: never}

const customized = new WeakMap<object, string>()

/** The values of custom fields of a kind of resource, by name. */
export function fieldsOfKind(kind: string) {
  const schema = v.record(v.string(), v.unknown())
  customized.set(schema, kind)
  return schema
}

/** The parts of a schema that its readers look at. */
export interface SchemaParts {
  readonly type: string
  readonly entries?: Readonly<Record<string, SchemaParts>>
  readonly item?: SchemaParts
  /** What may be absent. */
  readonly wrapped?: SchemaParts
  readonly pipe?: readonly SchemaParts[]
  /** Of a picklist, a union or a variant. */
  readonly options?: readonly unknown[]
  /** Of a record. */
  readonly value?: SchemaParts
  readonly getter?: (input: unknown) => SchemaParts
}

const leaves = {string: 'string', picklist: 'string', literal: 'string', number: 'number', boolean: 'boolean'} as const

/** The shape of what a reply schema describes: references without `obj`, records open (decision 15). */
function shapeOf(schema: object): ShapeOf {
  const {type, entries, item, wrapped} = schema as SchemaParts
  if (schema === Moment) return {leaf: 'datetime'}
  if (schema === Day) return {leaf: 'date'}
  const kind = customized.get(schema)
  if (kind !== undefined) return {fieldsOf: kind}
  if (wrapped) return shapeOf(wrapped)
  if (item) return {...shapeOf(item), array: true} as ShapeOf
  if (entries) return {members: membersOf(entries)}
  return type in leaves ? {leaf: leaves[type as keyof typeof leaves]} : {open: true}
}

export const membersOf = (entries: object): Readonly<Record<string, ShapeOf>> =>
  Object.fromEntries(
    Object.entries(entries as Record<string, object>).flatMap(([name, member]) =>
      name === 'obj' ? [] : [[name, shapeOf(member)]],
    ),
  )
