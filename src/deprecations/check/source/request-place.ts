import type {CallExpression, NewExpression, Node, OptionalCallExpression, TSType} from '@babel/types'
import {dataFile} from '../../catalogue/index.js'
import {isCollection, type Place, pathBelowProject} from '../place.js'
import type {Text} from '../tree.js'
import {segmentsOfUrl} from '../url.js'
import {type Branch, bare} from './branch.js'
import {isTextLiteral, textOf} from './literal.js'

/** Where the platform's TypeScript SDK sends what it calls by these names. */
const placesOfTypes = new Map(
  Object.entries(dataFile('sdk-types.json') as Readonly<Record<string, string>>).map(
    ([type, place]): [string, Place] => {
      const [method = '*', path = ''] = place.split(' ')
      return [type, {method, segments: path.split('/')}]
    },
  ),
)

const methods = new Set(['get', 'head', 'post', 'put', 'delete', 'patch'])
const maxSteps = 100
const maxCalls = 20

/** A call of a function, a method or a constructor. */
export type Call = CallExpression | OptionalCallExpression | NewExpression

export const isCall = (node: Node): node is Call =>
  node.type === 'CallExpression' || node.type === 'OptionalCallExpression' || node.type === 'NewExpression'

/** The name that is called: `post` of `client.post(…)`. */
export function calleeName({callee}: Call): string | undefined {
  const node = bare(callee)
  if (node.type === 'Identifier') return node.name
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
  return isMember && !node.computed && node.property.type === 'Identifier' ? node.property.name : undefined
}

/** The place that a type stands for: of an array its elements', of a generic type its only parameter's. */
function placeOfType(type: TSType): Place | undefined {
  let at = type
  for (;;) {
    if (at.type === 'TSArrayType') at = at.elementType
    else if (at.type === 'TSTypeOperator' || at.type === 'TSParenthesizedType') at = at.typeAnnotation
    else if (at.type !== 'TSTypeReference') return undefined
    else {
      const [inner, other] = at.typeParameters?.params ?? []
      if (inner && !other) at = inner
      else return placesOfTypes.get(at.typeName.type === 'Identifier' ? at.typeName.name : at.typeName.right.name)
    }
  }
}

/** The type that is written beside a value: `const draft: CustomerDraft = {`, `} satisfies CustomerDraft`. */
function typeBeside({node, parent}: Branch): TSType | undefined {
  const holder = parent?.node
  if (holder?.type === 'TSAsExpression' || holder?.type === 'TSSatisfiesExpression') return holder.typeAnnotation
  if (holder?.type === 'TSTypeAssertion') return holder.typeAnnotation
  if (holder?.type === 'ClassProperty' && holder.value === node) return annotation(holder.typeAnnotation)
  if (holder?.type === 'VariableDeclarator' && 'typeAnnotation' in holder.id)
    return annotation(holder.id.typeAnnotation)
  if (holder?.type !== 'AssignmentPattern' || holder.right !== node || !('typeAnnotation' in holder.left))
    return undefined
  return annotation(holder.left.typeAnnotation)
}

const annotation = (node: Node | null | undefined): TSType | undefined =>
  node?.type === 'TSTypeAnnotation' ? node.typeAnnotation : undefined

const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()

/** The names of the calls in a chain before a method, as path segments, the outermost first. */
function callsBefore(call: Call): readonly string[] {
  const calls: string[] = []
  let callee = bare(call.callee)
  while (calls.length < maxCalls) {
    if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') break
    const before = bare(callee.object)
    const name = isCall(before) ? calleeName(before) : undefined
    if (!isCall(before) || name === undefined) break
    calls.unshift(kebab(name))
    callee = bare(before.callee)
  }
  return calls
}

/** Where a call that ends a chain of the SDK's request builder sends its request: `.customers().withId(…).post(…)`. */
export function chainPlace(call: Call): Place | undefined {
  const method = calleeName(call)
  if (method === undefined || !methods.has(method)) return undefined
  const calls = callsBefore(call)
  const first = calls.findIndex((name) => name.startsWith('in-store') || name === 'me' || isCollection(name))
  if (first === -1) return undefined
  const segments = calls.slice(first).flatMap((name) => {
    if (name.startsWith('in-store')) return ['in-store', 'key={}']
    return name.startsWith('with-') ? ['{}'] : [name]
  })
  const below = pathBelowProject(segments, 'explicit')
  return below && {method: method.toUpperCase(), segments: below}
}

/** The method of a request that a call makes: `.post(…)`, `fetch(url, {method: 'POST'})`, `fetch(url)`. */
export function methodOf(call: Call): string {
  const name = calleeName(call) ?? ''
  if (methods.has(name)) return name.toUpperCase()
  if (name !== 'fetch') return '*'
  const [url, options] = call.arguments
  if (!options) return url && isTextLiteral(url) ? 'GET' : '*'
  if (options.type !== 'ObjectExpression') return '*'
  for (const property of options.properties) {
    if (property.type !== 'ObjectProperty' || property.computed) continue
    if (property.key.type !== 'Identifier' || property.key.name !== 'method') continue
    const value = bare(property.value)
    return value.type === 'StringLiteral' ? value.value.toUpperCase() : '*'
  }
  return '*'
}

/** The text with which a call's first argument begins, as `'/carts/' + id` does. */
export function leadingText(call: Call) {
  let at: Node | undefined = call.arguments[0]
  for (let steps = 0; at?.type === 'BinaryExpression' && steps < maxSteps; steps += 1) at = at.left
  return at && isTextLiteral(at) ? at : undefined
}

/** Tells where the literals of one file are sent. */
export class RequestPlaces {
  readonly #source: Text
  readonly #isKnown: boolean
  /** By call: one may have any number of literals in it. */
  readonly #places = new Map<Call, Place | undefined>()

  constructor(source: Text, isKnown: boolean) {
    this.#source = source
    this.#isKnown = isKnown
  }

  /** Where a literal is sent, as far as its type or the call around it tells. */
  around(branch: Branch): readonly Place[] {
    let at = branch
    for (let steps = 0; at.parent && steps < maxSteps; steps += 1, at = at.parent) {
      const {node} = at.parent
      const type = isTyped(branch, at) ? typeBeside(at) : undefined
      const typed = type && placeOfType(type)
      if (typed) return [typed]
      if (endsExpression(node, at.node)) return []
      if (!isCall(node) || node.callee === at.node) continue
      const place = this.#placeOf(node)
      if (place) return [place]
      // What another function makes of the literal is not known; only a serializer passes it on as it is.
      const name = calleeName(node)
      if (name !== undefined && name !== 'stringify') return []
    }
    return []
  }

  #placeOf(call: Call): Place | undefined {
    if (!this.#places.has(call)) this.#places.set(call, chainPlace(call) ?? this.#urlPlace(call))
    return this.#places.get(call)
  }

  /** The URL that a call names before other arguments. */
  #urlPlace(call: Call): Place | undefined {
    const url = leadingText(call)
    const segments = url && segmentsOfUrl(textOf(url, this.#source).value, this.#isKnown)
    return segments && {method: methodOf(call), segments}
  }
}

/** Whether a type beside a node is also the literal's in it: only type assertions stand between them. */
const isTyped = ({node: literal}: Branch, {node}: Branch): boolean => bare(node) === literal

/** Whether what holds a node is no expression that the node is the value of, or part of it; an arrow function's body may be. */
function endsExpression(holder: Node, node: Node): boolean {
  const {type} = holder
  if (type === 'ArrowFunctionExpression') return holder.body !== node
  return /^(?:Program|VariableDeclarator)$|(?:Statement|Declaration|Method|Body|FunctionExpression)$/.test(type)
}
