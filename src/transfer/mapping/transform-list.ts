import {type Cell, textOfCell} from '../input/cell.js'
import {InputError} from '../input/input-error.js'
import {type Step, separatorOf, type Transform, transformOf} from './transforms.js'

/** What the transforms of one target mean together. */
export interface TransformList {
  /** One text of the columns that name the target, which are not empty. Absent: only one column may name it. */
  readonly combine?: (texts: readonly string[]) => string
  /** Given to rows that bring no value. */
  readonly fallback?: string
  /** The value of a custom field stays a text, also if it looks like a number. */
  readonly keepsText: boolean
  readonly apply: Transform
}

/** Reads the transforms of a target. Throws InputError for what they cannot mean. */
export async function transformListOf(path: string, names: readonly string[]): Promise<TransformList> {
  const [first, ...others] = names
  const combine = first === undefined ? undefined : combinerOf(first)
  if (others.some((name) => combinerOf(name))) {
    throw new InputError(
      `'join:' and 'first' put columns together, so they come before the other transforms of '${path}'.`,
    )
  }
  const fallback = names.find((name) => name.startsWith('default:'))?.slice('default:'.length)
  const rest = (combine ? others : names).filter((name) => name !== 'text' && !name.startsWith('default:'))
  const steps = await Promise.all(rest.map(transformOf))
  return {
    keepsText: names.includes('text'),
    apply: (cell) => steps.reduce<Step>(applied, {value: cell}),
    ...(combine ? {combine} : {}),
    ...(fallback === undefined ? {} : {fallback}),
  }
}

function combinerOf(name: string): TransformList['combine'] {
  if (name === 'first') return (texts) => texts[0] ?? ''
  if (!name.startsWith('join:')) return undefined
  const separator = separatorOf(name.slice('join:'.length))
  return (texts) => texts.join(separator)
}

/** A list passes element by element; what becomes empty is gone. */
function applied(before: Step, transform: Transform): Step {
  if ('problem' in before || before.value === undefined) return before
  const {value} = before
  if (!isList(value)) return value === '' ? transform('') : orNothing(transform(value))
  const list: string[] = []
  for (const text of value) {
    const step = transform(text)
    if ('problem' in step) return step
    const made = step.value ?? []
    list.push(...(isList(made) ? made : [textOfCell(made)]).filter((text) => text !== ''))
  }
  return {value: list.length > 0 ? list : undefined}
}

export const isList = (value: Cell | readonly string[]): value is readonly string[] => Array.isArray(value)

const orNothing = (step: Step): Step => ('value' in step && step.value === '' ? {value: undefined} : step)
