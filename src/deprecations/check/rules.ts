import type {Deprecation} from '../catalogue/entry.js'
import {catalogue} from '../catalogue/index.js'
import type {ActionPattern, BodyPattern, NamePattern, Pattern, ScopePattern, UrlPattern} from '../catalogue/pattern.js'
import {type PlacePattern, placePattern} from './place.js'

export interface Rule<P extends Pattern = Pattern> {
  readonly entry: Deprecation
  readonly pattern: P
}

export interface BodyRule extends Rule<BodyPattern> {
  /** The members to the one that is meant, outermost first; `[]` behind those that hold arrays. */
  readonly path: readonly string[]
  readonly places: readonly PlacePattern[]
  readonly matches: RegExp | undefined
}

export interface UrlRule extends Rule<UrlPattern> {
  readonly place: PlacePattern
  readonly value: RegExp | undefined
  readonly besideValue: RegExp | undefined
}

const rulesIn = <P extends Pattern>(kind: P['in']): readonly Rule<P>[] =>
  catalogue.flatMap((entry) =>
    (entry.detect ?? []).flatMap((pattern) => (pattern.in === kind ? [{entry, pattern: pattern as P}] : [])),
  )

/** Several rules may look at one word. */
const index = <R extends Rule>(rules: readonly R[], words: (rule: R) => readonly string[]) => {
  const found = new Map<string, R[]>()
  for (const rule of rules) {
    for (const word of words(rule)) found.set(word, [...(found.get(word) ?? []), rule])
  }
  return found as ReadonlyMap<string, readonly R[]>
}

const expression = (text: string | undefined) => (text === undefined ? undefined : new RegExp(text))

const bodies = rulesIn<BodyPattern>('body').flatMap((rule): BodyRule[] => {
  const {at, on = [], matches} = rule.pattern
  const [places, pattern] = [on.map(placePattern), expression(matches)]
  return at.map((path) => ({...rule, path: path.split('.'), places, matches: pattern}))
})

export const actionRules = index(rulesIn<ActionPattern>('action'), ({pattern}) => pattern.actions)
export const bodyRules = index(bodies, ({path}) => path.slice(-1))
export const urlRules = rulesIn<UrlPattern>('url').flatMap((rule): UrlRule[] => {
  const {places, value, beside} = rule.pattern
  const values = {value: expression(value), besideValue: expression(beside?.value)}
  return places.map((place) => ({...rule, place: placePattern(place), ...values}))
})
export const scopeRules = rulesIn<ScopePattern>('scope')

const nameRules = index(
  (['host', 'field', 'argument', 'type'] as const).flatMap((kind) => rulesIn<NamePattern>(kind)),
  ({pattern}) => pattern.names.map((name) => `${pattern.in} ${name}`),
)

/** Emits what the rules say of a name at a place of the file. */
export function checkName(kind: NamePattern['in'], name: string, offset: number, found: string, emit: Emit): void {
  for (const rule of nameRules.get(`${kind} ${name}`) ?? []) emit(hitOf(rule, offset, found))
}

/** A use that a rule found: where in the file, and the words that gave it away. */
export interface Hit {
  readonly entry: Deprecation
  readonly offset: number
  readonly found: string
  readonly instead?: string
}

export const hitOf = ({entry, pattern}: Rule, offset: number, found: string): Hit => ({
  entry,
  offset,
  found,
  ...(pattern.instead === undefined ? {} : {instead: pattern.instead}),
})

/** Takes what the rules find while they walk. */
export type Emit = (hit: Hit) => void
