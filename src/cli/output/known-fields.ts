import type {SchemaParts} from '../../domain/shape-of.js'
import {type Failure, meansOneOf, nearest, usage} from '../process/failure.js'
import {valueAt} from './fields.js'

/** The model of documents of our own that have these members, with blanks between them. */
export const modelOf = (...names: readonly string[]): SchemaParts => ({
  type: 'object',
  entries: Object.fromEntries(names.flatMap((name) => name.split(' ')).map((name) => [name, {type: 'unknown'}])),
})

/** Nothing for a path that a document may have; else the members that may stand where the path leaves it. */
function declared(
  {type, entries, item, wrapped, options}: SchemaParts,
  [step, ...rest]: readonly string[],
  before = '',
): readonly string[] | undefined {
  if (step === undefined) return undefined
  if (wrapped) return declared(wrapped, [step, ...rest], before)
  if (options && type !== 'picklist') {
    const found = options.map((option) => declared(option as SchemaParts, [step, ...rest], before))
    return found.includes(undefined) ? undefined : found.flatMap((names) => names ?? [])
  }
  if (type === 'object' && entries) {
    const inner = Object.hasOwn(entries, step) ? entries[step] : undefined
    return inner ? declared(inner, rest, `${before}${step}.`) : Object.keys(entries).map((name) => before + name)
  }
  if (type === 'array' && item) {
    if (/^\d+$/.test(step)) return declared(item, rest, `${before}${step}.`)
    return declared(item, [step, ...rest], `${before}0.`) ? [] : [`${before}0.${[step, ...rest].join('.')}`]
  }
  // Custom fields, expanded references and whatever else is open.
  const isOpen = !['string', 'number', 'boolean', 'literal', 'picklist', 'null'].includes(type)
  return isOpen ? undefined : []
}

/**
 * The refusal of paths that no document has and the model does not know; a member that is merely absent is fine, and so
 * is one that another server has more.
 */
export function unknownFields(
  paths: readonly string[],
  documents: readonly unknown[],
  model: SchemaParts,
): Failure | undefined {
  const near: string[] = []
  const unknown = paths.filter((path) => {
    const names = declared(model, path.split('.'))
    if (!names || documents.some((document) => valueAt(document, path) !== undefined)) return false
    near.push(...(names.length === 1 ? names : nearest(path, names)))
    return true
  })
  if (unknown.length === 0) return undefined
  const which = unknown.map((path) => `'${path}'`).join(', ')
  return usage(
    `--fields names ${which}, which no document here has.`,
    meansOneOf(near),
    '--json without --fields shows what there is.',
  )
}
