import type {Type} from '../../domain/collections/type.js'
import {isObject} from '../../domain/equal.js'
import type {CustomShapes, Shape} from '../../query/ast.js'
import {shapesIn} from '../../query/field-shapes.js'
import {literalOf} from '../../query/literal.js'
import {memberOf} from '../../query/path-reader.js'
import type {Store} from '../../store/store.js'
import {byState, RevisionCache, revisionOf} from './revision-cache.js'
import {allWhere} from './walk.js'

interface Made {
  readonly version: string
  readonly shapes: CustomShapes
}

interface Context {
  readonly runtime: {readonly state: Store}
  readonly project: {readonly key: string}
}

const cacheOf = byState((state) => new RevisionCache<Made>(state, 100))

export const typesOf = (state: Store, project: string): Promise<Type[]> => allWhere<Type>(state, project, 'type')

async function read({runtime: {state}, project: {key}}: Context): Promise<Made> {
  const dependsOn = [revisionOf(state, key, 'type')]
  const types = await typesOf(state, key)
  const made = {version: types.map(({id, version}) => `${id} ${version}`).join(), shapes: shapesIn(types)}
  cacheOf(state).set(key, made, dependsOn)
  return made
}

const current = (context: Context) => cacheOf(context.runtime.state).get(context.project.key) ?? read(context)

/**
 * Reads with the shapes of the project's custom fields, and again if its types have changed meanwhile, so that no value is
 * compared as what it no longer is. Without them where no text of the request names custom fields. Decision 62.
 */
export function withCustomShapes<R>(
  context: Context,
  texts: readonly string[],
  reading: (custom?: CustomShapes) => R | Promise<R>,
): R | Promise<R> {
  return texts.some((one) => one.includes('fields')) ? typed(context, reading) : reading()
}

async function typed<R>(context: Context, reading: (custom: CustomShapes) => R | Promise<R>): Promise<R> {
  for (let made = await current(context); ; ) {
    const found = await reading(made.shapes)
    const now = await current(context)
    if (now.version === made.version) return found
    made = now
  }
}

/** A document with its moments and times in the form in which the service stores them. */
export function inStoredForm<T>(value: T, shape: Shape, custom: CustomShapes): T
export function inStoredForm(value: unknown, shape: Shape, custom: CustomShapes): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => inStoredForm(one, shape, custom))
  if ('leaf' in shape) {
    const isMoment = typeof value === 'string' && (shape.leaf === 'datetime' || shape.leaf === 'time')
    return isMoment ? (literalOf(value, shape) ?? value) : value
  }
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    const below = memberOf(shape, name, custom)
    return [name, below ? inStoredForm(member, below, custom) : member] as const
  })
  return Object.fromEntries(members)
}
