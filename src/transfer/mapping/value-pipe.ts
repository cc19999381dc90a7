import {defined} from '../../domain/equal.js'
import {isKey} from '../../domain/rules.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {InputError} from '../files/input-error.js'
import {type Cell, jsonOrText, textOfCell} from '../input/cell.js'
import type {Issue} from '../input/row.js'
import {commonDate} from './dates.js'
import {type Leaf, starred, type Target} from './draft-shape.js'
import type {Mapping} from './mapping.js'
import {type Problem, type Step, separatorOf, type Transform, transformOf} from './transforms.js'

/** No value at all is what an empty cell gives. */
export type Piped = {readonly value: unknown /** The text that was read as JSON. */; readonly text?: string} | Problem

/** The way of a cell to a target: aliases, else transforms, then the conversion to the member's type. */
export type ValuePipe = (cell: Cell) => Piped

/** Where the values of a column go. */
export interface Assignment {
  readonly column: string
  readonly target: Target
  readonly pipe: ValuePipe
  /** What has places of its own in a list (`addresses.+`): a list, an object or the row. Absent: the places of the row. */
  readonly appends?: string
}

export function issueOf(column: string, {path}: Target, {problem, takesAlias, name}: Problem): Issue {
  if (isSecretPath(path)) return {column, code: 'InvalidField', message: 'The value cannot be used.'}
  const alias = takesAlias && name !== undefined ? {target: path, name} : undefined
  return {column, code: 'InvalidField', message: problem, ...defined({alias})}
}

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1'])
const no: ReadonlySet<string> = new Set(['false', 'no', 'n', '0'])

const conversions: Readonly<Record<Leaf, ValuePipe>> = {
  text: (cell) => ({value: textOfCell(cell)}),
  date: (cell) => ({value: cell instanceof Date ? textOfCell(cell).slice(0, 10) : commonDate(textOfCell(cell))}),
  boolean: (cell) => {
    const text = textOfCell(cell)
    const lower = text.trim().toLowerCase()
    if (yes.has(lower)) return {value: true}
    return no.has(lower)
      ? {value: false}
      : {problem: `'${text}' is neither true nor false.`, takesAlias: true, name: text}
  },
  index: (cell) => {
    const text = textOfCell(cell).trim()
    // Any other text is the key of an address of the row.
    if (/^\d{1,9}$/.test(text)) return {value: Number(text)}
    return typeof cell === 'string' && isKey(text)
      ? {value: text}
      : {problem: `'${text}' is neither the index nor the key of an address.`}
  },
  json: (cell) => {
    if (typeof cell === 'string') {
      const value = jsonOrText(cell)
      return value === cell ? {value} : {value, text: cell}
    }
    return {value: typeof cell === 'object' ? textOfCell(cell) : cell}
  },
}

/** The ways of the values of a mapping. What is said of `addresses.*.city` holds for each address. */
export type Pipes = Awaited<ReturnType<typeof pipesOf>>

/** Reads the transforms and aliases of a mapping. Throws InputError for unknown transforms. */
export async function pipesOf(mapping: Mapping, today?: string) {
  const lists = new Map<string, TransformList>()
  for (const [path, names] of Object.entries(mapping.transforms ?? {})) {
    lists.set(path, await transformListOf(path, [names].flat(), today))
  }
  const aliases = new Map(Object.entries(mapping.aliases ?? {}).map(([path, values]) => [path, aliasesOf(values)]))
  const listOf = (path: string) => lists.get(path) ?? lists.get(starred(path))
  /** No value is changed but for the type of its member. */
  const isPlain = lists.size === 0 && aliases.size === 0
  const absent: ReadonlySet<unknown> = new Set(mapping.absent)
  const said = Object.entries({transforms: mapping.transforms, aliases: mapping.aliases}).flatMap(
    ([section, targets]) =>
      Object.entries({...targets}).flatMap(([path, says]) =>
        Object.keys(says).length === 0 ? [] : [[path, section] as const],
      ),
  )
  const idle = new Map(said.filter(([path]) => lists.get(path)?.fallback === undefined))
  return {
    isPlain,
    /** Targets of transforms and aliases that nothing has asked the way of, to the section that names them. */
    idle,
    pipeOf({path, leaf}: Target): ValuePipe {
      for (const asked of [path, starred(path)]) idle.delete(asked)
      return pipeOf(aliases.get(path) ?? aliases.get(starred(path)), listOf(path), {leaf, absent})
    },
    listOf,
    defaults: [...lists].flatMap(([path, {fallback}]) => (fallback === undefined ? [] : [[path, fallback] as const])),
    /** The conversion alone, as a default passes it. */
    convert: ({leaf}: Target, cell: Cell): Piped => conversions[leaf](cell),
  }
}

type Alias = (text: string) => string | undefined

/** Aliases are found as written or, failing that, without case. One to null is a template's, and not filled in yet. */
function aliasesOf(values: NonNullable<Mapping['aliases']>[string]): Alias {
  const filled = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  const exact = new Map(filled)
  const folded = new Map(filled.map(([name, value]) => [name.trim().toLowerCase(), value]))
  return (text) => exact.get(text) ?? folded.get(text.trim().toLowerCase())
}

/** Parts of a cell may stand for no value as whole cells do. */
function pipeOf(
  alias: Alias | undefined,
  list: TransformList | undefined,
  {leaf, absent}: {readonly leaf: Leaf; readonly absent: ReadonlySet<unknown>},
): ValuePipe {
  const convert = conversions[leaf]
  if (!alias && !list && absent.size === 0) return convert
  return (cell) => {
    const text = alias && textOfCell(cell)
    const known = text === undefined ? undefined : alias?.(text)
    const step = known === undefined && list ? list.apply(cell) : {value: known ?? cell}
    if ('problem' in step) return step.takesAlias ? {...step, name: textOfCell(cell)} : step
    if (step.value === undefined || step.value === '' || absent.has(step.value)) return {value: undefined}
    return isList(step.value) ? {value: step.value} : convert(step.value)
  }
}

/** What the transforms of one target mean together. */
type TransformList = Awaited<ReturnType<typeof transformListOf>>

/** Reads the transforms of a target. Throws InputError for what they cannot mean. */
async function transformListOf(path: string, names: readonly string[], today?: string) {
  const [first, ...others] = names
  const combine = first === undefined ? undefined : combinerOf(first)
  if (others.some((name) => combinerOf(name))) {
    throw new InputError(
      `'join:' and 'first' put columns together, so they come before the other transforms of '${path}'.`,
    )
  }
  const fallback = names.find((name) => name.startsWith('default:'))?.slice('default:'.length)
  const rest = (combine ? others : names).filter((name) => !name.startsWith('default:'))
  const steps = await Promise.all(rest.map((name) => transformOf(name, path, today)))
  return {
    apply: (cell: Cell) => steps.reduce<Step>(applied, {value: cell}),
    /** One text of the columns that name the target, which are not empty. Absent: only one column may name it. */
    combine,
    fallback,
  }
}

function combinerOf(name: string): ((texts: readonly string[]) => string) | undefined {
  if (name === 'first') return (texts) => texts[0] ?? ''
  if (!name.startsWith('join:')) return undefined
  const separator = separatorOf(name.slice('join:'.length))
  return (texts) => texts.join(separator)
}

/** A list passes element by element; what becomes empty is gone. */
function applied(before: Step, transform: Transform): Step {
  if ('problem' in before || before.value === undefined) return before
  const {value} = before
  if (!isList(value)) {
    const step = transform(value)
    return value !== '' && 'value' in step && step.value === '' ? {value: undefined} : step
  }
  const list: string[] = []
  for (const text of value) {
    const step = transform(text)
    if ('problem' in step) return step
    const made = step.value ?? []
    list.push(...(isList(made) ? made : [textOfCell(made)]).filter((text) => text !== ''))
  }
  return {value: list.length > 0 ? list : undefined}
}

export const isList = (value: unknown): value is readonly string[] => Array.isArray(value)
