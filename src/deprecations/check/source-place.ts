import type {Token} from './lexer.js'
import {isCollection, type Place, pathBelowProject} from './place.js'
import {segmentsOfUrl} from './url.js'

/** Where the platform's TypeScript SDK sends what it calls by these names. */
const places: Readonly<Record<string, string>> = {
  BusinessUnitDraft: 'POST business-units',
  BusinessUnitUpdate: 'POST business-units/{}',
  BusinessUnitUpdateAction: 'POST business-units/{}',
  CartDiscountDraft: 'POST cart-discounts',
  CartDiscountUpdate: 'POST cart-discounts/{}',
  CartDiscountUpdateAction: 'POST cart-discounts/{}',
  CompanyDraft: 'POST business-units',
  CustomerDraft: 'POST customers',
  CustomerSignin: 'POST login',
  CustomerUpdate: 'POST customers/{}',
  CustomerUpdateAction: 'POST customers/{}',
  DivisionDraft: 'POST business-units',
  MyCustomerDraft: 'POST me/signup',
  MyCustomerSignin: 'POST me/login',
  MyCustomerUpdate: 'POST me',
  MyCustomerUpdateAction: 'POST me',
  OrderFromCartDraft: 'POST orders',
  PaymentDraft: 'POST payments',
  PaymentUpdate: 'POST payments/{}',
  PaymentUpdateAction: 'POST payments/{}',
  ProductSelectionDraft: 'POST product-selections',
  ShippingMethodDraft: 'POST shipping-methods',
  ShippingMethodUpdate: 'POST shipping-methods/{}',
  ShippingMethodUpdateAction: 'POST shipping-methods/{}',
}

const placesOfTypes = new Map(
  Object.entries(places).map(([type, place]): [string, Place] => {
    const [method = '*', path = ''] = place.split(' ')
    return [type, {method, segments: path.split('/')}]
  }),
)

const methods = new Set(['get', 'head', 'post', 'put', 'delete', 'patch'])
const maxSteps = 400
const maxCalls = 20

const opening = new Set(['(', '[', '{'])
const closingMarks = new Set([')', ']', '}'])

const isMark = (token: Token | undefined, ...values: readonly string[]): boolean =>
  token?.kind === 'mark' && values.includes(token.value)

/** The type written beside a literal: `const draft: CustomerDraft = {`, `} satisfies CustomerDraft`. */
const typePlace = (tokens: readonly Token[], start: number, end: number): Place | undefined => {
  const behind = tokens[end]
  if (behind?.kind === 'name' && (behind.value === 'as' || behind.value === 'satisfies')) {
    return placesOfTypes.get(tokens[end + 1]?.value ?? '')
  }
  if (!isMark(tokens[start - 1], '=')) return undefined
  let at = start - 2
  while (isMark(tokens[at], '[', ']', '>')) at -= 1
  const before = tokens[at - 1]
  const isType = isMark(before, ':', '<', '.') || before?.value === 'readonly'
  return isType ? placesOfTypes.get(tokens[at]?.value ?? '') : undefined
}

const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()

/** A chain of the SDK's request builder that ends before an opening parenthesis: `.customers().withId(…).post`. */
export const chainPlace = (tokens: readonly Token[], paren: number): Place | undefined => {
  const method = tokens[paren - 1]
  if (method?.kind !== 'name' || !methods.has(method.value)) return undefined
  const calls = callsBefore(tokens, paren - 1)
  const first = calls.findIndex((call) => call.startsWith('in-store') || call === 'me' || isCollection(call))
  if (first === -1) return undefined
  const segments = calls.slice(first).flatMap((call) => {
    if (call.startsWith('in-store')) return ['in-store', 'key={}']
    return call.startsWith('with-') ? ['{}'] : [call]
  })
  const below = pathBelowProject(segments, 'told')
  return below && {method: method.value.toUpperCase(), segments: below}
}

/** The names of the calls in a chain, as path segments, the outermost first. */
const callsBefore = (tokens: readonly Token[], end: number): readonly string[] => {
  const calls: string[] = []
  for (let at = end; calls.length < maxCalls && isMark(tokens[at - 1], '.', '?.') && isMark(tokens[at - 2], ')'); ) {
    const open = openingOf(tokens, at - 2)
    const name = tokens[open - 1]
    if (open < 1 || name?.kind !== 'name') break
    calls.unshift(kebab(name.value))
    at = open - 1
  }
  return calls
}

/** The index of the bracket that opens what a bracket closes, or -1. */
const openingOf = (tokens: readonly Token[], close: number): number => {
  let depth = 0
  for (let at = close; at >= 0 && close - at < maxSteps; at -= 1) {
    if (isMark(tokens[at], ')', ']', '}')) depth += 1
    if (isMark(tokens[at], '(', '[', '{')) depth -= 1
    if (depth === 0) return at
  }
  return -1
}

/** The URL that a call names before an argument, with the method that the call's name or options tell. */
const urlPlace = (tokens: readonly Token[], paren: number, isKnown: boolean): Place | undefined => {
  const url = tokens[paren + 1]
  const segments = url?.kind === 'text' ? segmentsOfUrl(url.value, isKnown) : undefined
  return segments && {method: methodOf(tokens, paren), segments}
}

/** The method of a request that a call makes: `.post(`, `fetch(url, {method: 'POST'`, `fetch(url)`. */
export const methodOf = (tokens: readonly Token[], paren: number): string => {
  const callee = tokens[paren - 1]
  if (callee?.kind !== 'name') return '*'
  if (methods.has(callee.value)) return callee.value.toUpperCase()
  if (callee.value !== 'fetch') return '*'
  for (let at = paren + 2; at < paren + 40 && at < tokens.length && !isMark(tokens[at], ';'); at += 1) {
    const value = tokens[at + 2]
    if (tokens[at]?.value !== 'method' || !isMark(tokens[at + 1], ':')) continue
    return value?.kind === 'text' ? value.value.toUpperCase() : '*'
  }
  return isMark(tokens[paren + 2], ')') ? 'GET' : '*'
}

/** The parenthesis of the call whose argument, or part of an argument, a token is; further out with every step. */
function* callsAround(tokens: readonly Token[], start: number): Generator<number> {
  let depth = 0
  for (let at = start - 1; at >= 0 && start - at < maxSteps; at -= 1) {
    const token = tokens[at]
    if (token?.kind !== 'mark') continue
    if (closingMarks.has(token.value)) depth += 1
    else if (depth === 0 && token.value === ';') return
    else if (opening.has(token.value)) {
      if (depth > 0) depth -= 1
      else if (token.value === '(') yield at
      else if (token.value === '{' && isMark(tokens[at - 1], ')', '=>', '{', '}', ';')) return
    }
  }
}

/** Where an object literal of source code is sent, as far as its type or the call around it tells. */
export const placesAround = (
  tokens: readonly Token[],
  start: number,
  end: number,
  isKnown: boolean,
): readonly Place[] => {
  const typed = typePlace(tokens, start, end)
  if (typed) return [typed]
  for (const paren of callsAround(tokens, start)) {
    const place = chainPlace(tokens, paren) ?? urlPlace(tokens, paren, isKnown)
    if (place) return [place]
    // What another function makes of the literal is not known; only a serializer passes it on as it is.
    const callee = tokens[paren - 1]
    if (callee?.kind === 'name' && callee.value !== 'stringify') return []
  }
  return []
}
