import type {ActionPattern} from '../catalogue/pattern.js'
import {isAt, type Place} from './place.js'
import {actionRules, type BodyRule, bodyRules, type Emit, hitOf, type Rule} from './rules.js'
import {
  followPath,
  type Located,
  type Member,
  memberOf,
  type Node,
  nodesOf,
  type ObjectNode,
  offsetAt,
  textIn,
} from './tree.js'

/** What is known of a body from outside: the places it may be sent to. */
export interface BodyContext {
  readonly places: readonly Place[]
  readonly emit: Emit
}

/** An object, and the way to it. */
interface ObjectAt extends Located {
  readonly node: ObjectNode
}

/** Finds uses in the body of a request, or in a file that is a list of them. */
export const checkBody = (root: Node, context: BodyContext): void => {
  for (const {node, ...way} of nodesOf(root)) if (node.kind === 'object') checkObject({node, ...way}, context)
}

const checkObject = (at: ObjectAt, context: BodyContext): void => {
  checkAction(at, context)
  for (const member of at.node.members) {
    for (const rule of bodyRules.get(member.name) ?? []) {
      if (isMeant(rule, member, at, context)) context.emit(hitOf(rule, member.start, shownOf(rule, member, at)))
    }
  }
}

/** The path of a member, with its value where that is what matters. */
const shownOf = ({pattern}: BodyRule, {name, value}: Member, {labels}: ObjectAt): string => {
  const path = [...labels, name].join('.')
  return pattern.values && value.kind === 'text' ? `${path} ${value.value}` : path
}

const checkAction = (at: ObjectAt, context: BodyContext): void => {
  const name = textIn(at.node, 'action')
  if (name === undefined) return
  for (const rule of actionRules.get(name.value) ?? []) {
    if (isActionMeant(rule, at, context)) context.emit(hitOf(rule, offsetAt(name, 0), `action ${name.value}`))
  }
}

const isActionMeant = (
  {pattern}: Rule<ActionPattern>,
  {node: object, siblings}: ObjectAt,
  {places}: BodyContext,
): boolean => {
  const {on, beside, among} = pattern
  const has = (name: string) => memberOf(object, name) !== undefined
  const isAmong = (item: Node) => among?.includes(textIn(item, 'action')?.value ?? '') === true
  if (pattern.with && !pattern.with.some(has)) return false
  if (pattern.lacks?.some(has)) return false
  if (!on && !beside) return true
  const [place] = places
  // Where the place is known it decides; the members may mean something else there.
  if (place) return places.some(({segments}) => on?.includes(segments[0] ?? '') ?? false)
  return (beside?.some(has) ?? false) || siblings.some(isAmong)
}

const isMeant = (rule: BodyRule, {name, value}: Member, at: ObjectAt, context: BodyContext): boolean => {
  if (value.kind === 'other' && value.is === 'null') return false
  if (!endsWith([...at.labels, name], rule.path, context)) return false
  return hasValue(rule, value) && fits(rule, at) && isHere(rule, at, context)
}

/** Whether a path ends as a rule's does. GraphQL takes a single value where it wants a list of them. */
const endsWith = (labels: readonly string[], path: readonly string[], {places}: BodyContext): boolean => {
  const isGraphql = places[0]?.method === 'MUTATION'
  return path.every((wanted, index) => {
    const label = labels[labels.length - path.length + index]
    return label === wanted || (isGraphql && `${label}[]` === wanted)
  })
}

const hasValue = ({pattern: {values}, matches}: BodyRule, node: Node): boolean => {
  if (!values && !matches) return true
  if (node.kind !== 'text') return false
  return values ? values.includes(node.value) : (matches?.test(node.value) ?? false)
}

/** The conditions that look at what stands around the member. */
const fits = ({pattern: {lacks, when}}: BodyRule, {node: object, objects}: ObjectAt): boolean => {
  if (lacks?.some((name) => memberOf(object, name))) return false
  if (!when) return true
  const outer = [...objects, object].at(-1 - (when.up ?? 0))
  const node = outer && followPath(outer, when.member)
  return node !== undefined && node !== 'unknown' && node.kind === 'text' && when.is.includes(node.value)
}

/** Whether the place is known to take this body, or else the object shows what it is. */
const isHere = ({pattern, path, places}: BodyRule, {node, labels}: ObjectAt, context: BodyContext): boolean => {
  if (!pattern.on && !pattern.beside) return true
  const isRooted = labels.length + 1 === path.length
  // Where the place is known it decides; the same members may mean something else there.
  if (isRooted && context.places.length > 0 && places.length > 0) {
    return context.places.some((place) => places.some((known) => isAt(known, place)))
  }
  return pattern.beside?.some((path) => followPath(node, path) !== undefined) ?? false
}
