import type {Field, Predicate, Scalar} from '../../src/query/ast.js'
import {facets} from './customer-shape.js'

// A second evaluator that shares no code with the compiler: it walks the tree for every document and is slow.

const iso = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)$/

/** Milliseconds, by the platform's own Date. */
export function naiveInstant(value: unknown): number | undefined {
  const match = typeof value === 'string' ? iso.exec(value) : null
  if (match === null) return undefined
  const [, day = '', hours, minutes, seconds = '00', fraction = '', zone = 'Z'] = match
  if (day < '0001' || Number(hours) > 23 || Number(zone.slice(1, 3)) > 14) return undefined
  const midnight = new Date(`${day}T00:00:00.000Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  const ms = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** Order of texts by their UTF-8 bytes. */
export const naiveText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

function valueAt(node: unknown, path: readonly string[]): unknown {
  let value = node
  for (const name of path) {
    const members = new Map(typeof value === 'object' && value && !Array.isArray(value) ? Object.entries(value) : [])
    value = members.get(name)
  }
  return value ?? undefined
}

function order(field: Field, value: unknown, literal: Scalar): number | undefined {
  if (field.type === 'datetime') {
    const [left, right] = [naiveInstant(value), naiveInstant(literal)]
    return left === undefined || right === undefined ? undefined : left - right
  }
  if (typeof value === 'string' && typeof literal === 'string') return naiveText(value, literal)
  if (typeof value === 'number' && typeof literal === 'number') return value - literal
  if (typeof value === 'boolean' && typeof literal === 'boolean') return Number(value) - Number(literal)
  return undefined
}

function distance([lon, lat]: readonly number[], longitude: number, latitude: number): number {
  const unit = (degreesEast = 0, degreesNorth = 0) => {
    const [east, north] = [(degreesEast * Math.PI) / 180, (degreesNorth * Math.PI) / 180]
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
  }
  const [a, b] = [unit(lon, lat), unit(longitude, latitude)]
  const chord = Math.hypot(...a.map((part, at) => part - (b[at] ?? 0)))
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, chord / 2))
}

function isNear(value: unknown, {longitude, latitude, radiusMeters}: Extract<Predicate, {op: 'within'}>): boolean {
  const coordinates = valueAt(value, ['coordinates'])
  if (valueAt(value, ['type']) !== 'Point' || !Array.isArray(coordinates)) return false
  const [lon, lat] = coordinates as unknown[]
  if (typeof lon !== 'number' || typeof lat !== 'number' || Math.abs(lon) > 180 || Math.abs(lat) > 90) return false
  // Both formulas round; a millimetre is below what either can tell.
  return distance([lon, lat], longitude, latitude) <= radiusMeters + 0.001
}

export function naive(predicate: Predicate, node: unknown, root: object): boolean {
  if ('terms' in predicate) {
    const answers = predicate.terms.map((term) => naive(term, node, root))
    return predicate.op === 'and' ? !answers.includes(false) : answers.includes(true)
  }
  if (predicate.op === 'not') return !naive(predicate.term, node, root)
  if (predicate.op === 'nested') {
    const value = valueAt(node, predicate.path)
    const objects = predicate.single && Array.isArray(value) ? [] : [value].flat()
    return objects.some(
      (object) => typeof object === 'object' && object && !Array.isArray(object) && naive(predicate.term, object, root),
    )
  }
  const {field} = predicate
  const value = field.facet ? facets[field.facet]?.(root) : valueAt(node, field.path)
  const isList = Array.isArray(value) && (field.array === true || field.type === 'unknown')
  const elements: unknown[] = isList ? value : [value]
  const equals = (literal: Scalar) => elements.some((element) => order(field, element, literal) === 0)
  switch (predicate.op) {
    case 'defined':
      return (value !== undefined) !== predicate.negated
    case 'empty':
      return ['undefined', '""', '[]', '{}'].includes(JSON.stringify(value) ?? 'undefined') !== predicate.negated
    case 'compare': {
      const {comparison, value: literal} = predicate
      if (comparison === '=') return equals(literal)
      if (comparison === '!=') return value !== undefined && !equals(literal)
      return elements.some((element) => {
        const by = order(field, element, literal)
        if (by === undefined) return false
        return by === 0 ? comparison.endsWith('=') : by < 0 === comparison.startsWith('<')
      })
    }
    case 'in':
      return predicate.negated ? value !== undefined && !predicate.values.some(equals) : predicate.values.some(equals)
    case 'contains':
      return predicate.mode === 'all' ? predicate.values.every(equals) : predicate.values.some(equals)
    case 'within':
      return elements.some((element) => isNear(element, predicate))
  }
}
