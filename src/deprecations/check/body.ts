import type {ActionPattern} from '../catalogue/pattern.js'
import {isAt, type Place} from './place.js'
import {actionRules, type BodyRule, bodyRules, type Emit, hitOf, type Rule} from './rules.js'
import {followPath, type Member, memberOf, type Node, type ObjectNode, offsetAt, textIn} from './tree.js'

/** What is known of a body from outside: the places it may be sent to, and whether it surely is for the platform. */
export interface BodyContext {
  readonly places: readonly Place[]
  readonly isKnown: boolean
  readonly emit: Emit
}

/** The way to an object: the members that lead to it and the objects passed, outermost first. */
interface Trail {
  readonly labels: readonly string[]
  readonly objects: readonly ObjectNode[]
  /** Names of the actions in the list that the object is an element of. */
  readonly actions: readonly string[]
}

const start: Trail = {labels: [], objects: [], actions: []}

/** Finds uses in the body of a request, or in a file that is a list of them. */
export const checkBody = (root: Node, context: BodyContext): void => visit(root, start, context)

const visit = (node: Node, trail: Trail, context: BodyContext): void => {
  if (node.kind === 'array') visitItems(node.items, trail, context)
  if (node.kind !== 'object') return
  checkAction(node, trail, context)
  const objects = [...trail.objects, node]
  for (const member of node.members) {
    for (const rule of bodyRules.get(member.name) ?? []) {
      if (isMeant(rule, member, {...trail, objects}, context)) {
        context.emit(hitOf(rule, member.start, shownOf(rule, member, trail)))
      }
    }
    visit(member.value, {labels: [...trail.labels, member.name], objects, actions: []}, context)
  }
}

/** The path of a member, with its value where that is what matters. */
const shownOf = ({pattern}: BodyRule, {name, value}: Member, {labels}: Trail): string => {
  const path = [...labels, name].join('.')
  return pattern.values && value.kind === 'text' ? `${path} ${value.value}` : path
}

const visitItems = (items: readonly Node[], {labels, objects}: Trail, context: BodyContext): void => {
  // The elements of a list that nothing holds are roots themselves.
  const inList = labels.length === 0 ? labels : labels.with(-1, `${labels.at(-1) ?? ''}[]`)
  const actions = items.flatMap((item) => (item.kind === 'object' ? [textIn(item, 'action')?.value ?? ''] : []))
  for (const item of items) visit(item, {labels: inList, objects, actions}, context)
}

const checkAction = (object: ObjectNode, trail: Trail, context: BodyContext): void => {
  const name = textIn(object, 'action')
  if (name === undefined) return
  for (const rule of actionRules.get(name.value) ?? []) {
    if (isActionMeant(rule, object, trail, context)) {
      context.emit(hitOf(rule, offsetAt(name, 0), `action ${name.value}`))
    }
  }
}

const isActionMeant = (
  {pattern}: Rule<ActionPattern>,
  object: ObjectNode,
  trail: Trail,
  {places}: BodyContext,
): boolean => {
  const {on, beside, among} = pattern
  const has = (name: string) => memberOf(object, name) !== undefined
  if (pattern.with && !pattern.with.some(has)) return false
  if (pattern.lacks?.some(has)) return false
  if (!on && !beside) return true
  const [place] = places
  // Where the place is known it decides; the members may mean something else there.
  if (place) return places.some(({segments}) => on?.includes(segments[0] ?? '') ?? false)
  return (beside?.some(has) ?? false) || (among?.some((name) => trail.actions.includes(name)) ?? false)
}

const isMeant = (rule: BodyRule, member: Member, trail: Trail, context: BodyContext): boolean => {
  const {pattern, path} = rule
  const object = trail.objects.at(-1)
  if (object === undefined || (member.value.kind === 'other' && member.value.is === 'null')) return false
  if (!endsWith(trail.labels, path, context)) return false
  if (pattern.isOrdinary && !context.isKnown) return false
  return hasValue(rule, member.value) && fits(rule, object, trail.objects) && isHere(rule, object, trail, context)
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
const fits = ({pattern: {lacks, when}}: BodyRule, object: ObjectNode, objects: readonly ObjectNode[]): boolean => {
  if (lacks && (object.isOpen || lacks.some((name) => memberOf(object, name)))) return false
  if (!when) return true
  const outer = objects.at(-1 - (when.up ?? 0))
  const node = outer && followPath(outer, when.member)
  return node !== undefined && node !== 'unknown' && node.kind === 'text' && when.is.includes(node.value)
}

/** Whether the place is known to take this body, or else the object shows what it is. */
const isHere = (
  {pattern, path, places}: BodyRule,
  object: ObjectNode,
  {labels}: Trail,
  context: BodyContext,
): boolean => {
  if (!pattern.on && !pattern.beside) return true
  const isRooted = labels.length === path.length
  // Where the place is known it decides; the same members may mean something else there.
  if (isRooted && context.places.length > 0 && places.length > 0) {
    return context.places.some((place) => places.some((known) => isAt(known, place)))
  }
  return pattern.beside?.some((name) => shows(object, name, context)) ?? false
}

/** An expression in source code may hide what the path leads to; then the file must be known to be about the platform. */
const shows = (object: ObjectNode, path: string, {isKnown}: BodyContext): boolean => {
  const node = followPath(object, path)
  return node === 'unknown' ? isKnown : node !== undefined
}
