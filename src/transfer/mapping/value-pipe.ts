import {InputError} from '../input/input-error.js'
import {type Leaf, starred, type Target} from './draft-shape.js'
import type {Mapping} from './mapping.js'
import {type TransformList, transformListOf} from './transform-list.js'
import type {Problem} from './transforms.js'

/** No value at all is what an empty cell gives. */
export type Piped = {readonly value: unknown} | Problem

/** What happens to a text on its way to a target: aliases, else transforms, then the conversion to the member's type. */
export type ValuePipe = (text: string) => Piped

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1'])
const no: ReadonlySet<string> = new Set(['false', 'no', 'n', '0'])

const conversions: Readonly<Record<Leaf, (text: string) => Piped>> = {
  text: (text) => ({value: text}),
  boolean: (text) => {
    const lower = text.trim().toLowerCase()
    if (yes.has(lower)) return {value: true}
    return no.has(lower)
      ? {value: false}
      : {problem: `'${text}' is neither true nor false.`, takesAlias: true, name: text}
  },
  index: (text) =>
    /^\d{1,9}$/.test(text.trim()) ? {value: Number(text)} : {problem: `'${text}' is not the index of an address.`},
  json: (text) => ({value: jsonOrText(text)}),
}

function jsonOrText(text: string): unknown {
  // Cheap to see, and most texts are texts.
  if (!/^\s*([{["\d-]|true|false|null)/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The ways of the values of a mapping. What is said of `addresses.*.city` holds for each address. */
export interface Pipes {
  readonly pipeOf: (target: Target) => ValuePipe
  readonly listOf: (path: string) => TransformList | undefined
  /** Targets with a `default:`, and the text of it. */
  readonly defaults: readonly (readonly [path: string, text: string])[]
  /** The conversion alone, as a default passes it. */
  readonly convert: (target: Target, text: string) => Piped
}

/** Reads the transforms and aliases of a mapping. Throws InputError for unknown transforms. */
export async function pipesOf(mapping: Mapping): Promise<Pipes> {
  const lists = new Map<string, TransformList>()
  for (const [path, names] of Object.entries(mapping.transforms ?? {})) {
    lists.set(path, await transformListOf(path, [names].flat()))
  }
  const aliases = new Map(
    Object.entries(mapping.aliases ?? {}).map(([path, values]) => [path, aliasesOf(path, values)]),
  )
  const listOf = (path: string) => lists.get(path) ?? lists.get(starred(path))
  return {
    pipeOf: ({path, leaf}) => pipeOf(aliases.get(path) ?? aliases.get(starred(path)), listOf(path), leaf),
    listOf,
    defaults: [...lists].flatMap(([path, {fallback}]) => (fallback === undefined ? [] : [[path, fallback] as const])),
    convert: ({leaf}, text) => conversions[leaf](text),
  }
}

/** Aliases are found as written or, failing that, without case. One to nothing is a template's, and not filled in yet. */
function aliasesOf(path: string, values: Readonly<Record<string, string>>): (text: string) => string | undefined {
  const filled = Object.entries(values).filter(([, value]) => value !== '')
  const exact = new Map(filled)
  const folded = new Map(filled.map(([name, value]) => [name.trim().toLowerCase(), value]))
  if (Object.hasOwn(values, '')) throw new InputError(`An alias for '${path}' has no name.`)
  return (text) => exact.get(text) ?? folded.get(text.trim().toLowerCase())
}

function pipeOf(
  alias: ((text: string) => string | undefined) | undefined,
  list: TransformList | undefined,
  leaf: Leaf,
): ValuePipe {
  const convert = leaf === 'json' && list?.keepsText ? conversions.text : conversions[leaf]
  if (!alias && !list) return convert
  return (text) => {
    const known = alias?.(text)
    const step = known === undefined && list ? list.apply(text) : {value: known ?? text}
    if ('problem' in step) return step.takesAlias ? {...step, name: text} : step
    if (step.value === undefined) return step
    return typeof step.value === 'string' ? convert(step.value) : {value: step.value}
  }
}
