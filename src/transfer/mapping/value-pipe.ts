import {InputError} from '../input/input-error.js'
import type {Leaf, Target} from './draft-shape.js'
import type {Mapping} from './mapping.js'
import {type Transform, transformOf} from './transforms.js'

export type Piped = {readonly value: unknown} | {readonly problem: string}

/** What happens to a text on its way to a target: aliases, else transforms, then the conversion to the member's type. */
export type ValuePipe = (text: string) => Piped

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1'])
const no: ReadonlySet<string> = new Set(['false', 'no', 'n', '0'])

const conversions: Readonly<Record<Leaf, (text: string) => Piped>> = {
  text: (text) => ({value: text}),
  boolean: (text) => {
    const lower = text.trim().toLowerCase()
    if (yes.has(lower)) return {value: true}
    return no.has(lower) ? {value: false} : {problem: `'${text}' is neither true nor false.`}
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

/** The pipes of the targets that a mapping treats specially. Throws InputError for unknown transforms. */
export async function pipesOf(mapping: Mapping): Promise<(target: Target) => ValuePipe> {
  const transforms = new Map<string, readonly Transform[]>()
  for (const [path, names] of Object.entries(mapping.transforms ?? {})) {
    const list = typeof names === 'string' ? [names] : names
    transforms.set(path, await Promise.all(list.map(transformOf)))
  }
  const aliases = new Map(
    Object.entries(mapping.aliases ?? {}).map(([path, values]) => [path, aliasesOf(path, values)]),
  )
  return ({path, leaf}) => pipeOf(aliases.get(path), transforms.get(path) ?? [], conversions[leaf])
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
  transforms: readonly Transform[],
  convert: (text: string) => Piped,
): ValuePipe {
  if (!alias && transforms.length === 0) return convert
  return (text) => {
    const known = alias?.(text)
    if (known !== undefined) return convert(known)
    let value = text
    for (const transform of transforms) {
      const step = transform(value)
      if ('problem' in step) return step
      value = step.value
    }
    return convert(value)
  }
}
