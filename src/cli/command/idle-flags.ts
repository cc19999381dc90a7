import {type Form, formAdvice, formTraits} from '../output/view.js'
import {usage} from '../process/failure.js'

/** What a command does that gives some of the flags of every command their effect (decision 50). */
const uses = {
  profile: ['profile', 'local'],
  /** It asks a target that has an address and stores. */
  target: ['api-url', 'auth-url', 'store', 'global'],
  project: ['project-key'],
  state: ['data'],
  requests: ['trace-http', 'timeout', 'retries', 'ca-file', 'correlation-id'],
  result: ['output', 'json'],
  fields: ['fields'],
  /** It writes rows to a file, whose format has a flag of its own. */
  rows: [],
  /** It masks the values of one-time tokens, whether or not it redacts. */
  tokens: [],
  /** It writes what a protected profile guards. */
  writes: ['confirm-profile'],
} as const

export type Use = keyof typeof uses

/** A command class. `uses`: none for one that prints a text of this machine; absent: by the operations that it declares. */
interface Used {
  readonly uses?: readonly Use[]
  readonly operations: readonly unknown[]
  /** Its own flags; one with the name of a flag of every command is the command's own business. */
  readonly flags?: object
}

interface Given {
  readonly given: ReadonlySet<string>
  /** The form of the result, as far as it is known before there is one; asked for only where a flag rests on it. */
  readonly form: () => Form | undefined
  /** Whether the result is a report, which is neither rows nor fields. */
  readonly reports: boolean
  readonly isRedacted: boolean
}

/** Throws usage for flags of every command that have no effect in this one, before anything is asked or sent. */
export function refuseIdle(command: string, used: Used, {given, form, reports, isRedacted}: Given): void {
  const own = new Set(Object.keys({...used.flags}))
  const writes = own.has('reason')
  const isText = used.uses?.length === 0
  const done = new Set<Use>([
    ...(used.uses ?? (used.operations.length > 0 ? calling : (['profile'] as const))),
    ...(isText ? [] : (['result'] as const)),
    ...(isText || reports ? [] : (['fields'] as const)),
    ...(writes ? (['writes'] as const) : []),
  ])
  const idle = Object.entries(uses).flatMap(([use, names]) =>
    done.has(use as Use) ? [] : names.filter((name) => given.has(name) && !own.has(name)),
  )
  if (idle.length > 0)
    throw usage(
      `${idle.map((name) => `--${name}`).join(', ')} ${idle.length > 1 ? 'have' : 'has'} no effect in \`${command}\`.`,
      'Leave it out.',
    )
  if (given.has('reveal') && !isRedacted && !done.has('tokens'))
    throw usage('--reveal has no effect: nothing is masked.', 'Add --redact.')
  if (given.has('excel-safe') && !done.has('rows') && (reports || !has('hasCells', form())))
    throw usage('--excel-safe has no effect.', formAdvice.hasCells)
  if (given.has('no-header') && (isText || done.has('rows') || reports || !mayHaveHeader(form(), writes)))
    throw usage('--no-header has no effect.', formAdvice.hasHeader)
}

/** Throws usage for flags of a write, and others that are named, in a use of a command that only reads. */
export function refuseInReading(given: ReadonlySet<string>, use: string, ...more: readonly string[]): void {
  const [idle] = ['reason', 'ticket', 'confirm-profile', ...more].filter((name) => given.has(name))
  if (idle !== undefined) throw usage(`--${idle} has no effect: ${use} only reads.`, 'Leave it out.')
}

/**
 * Whether a command asks a target, for a verdict, a file or a write: in CI that target has to be named (decision 67). One
 * that works on this machine says so by `uses` without `target`.
 */
export const asksTarget = ({uses: own, operations}: Used): boolean => own?.includes('target') ?? operations.length > 0

/** What a command does that calls operations of a target. */
export const calling = ['profile', 'target', 'project', 'state', 'requests'] as const

/** Whether a result may have a header; for reads without a form that is known only once the result is there. */
const mayHaveHeader = (form: Form | undefined, writes: boolean): boolean =>
  has('hasHeader', form) || (form === undefined && !writes)

const has = (trait: 'hasHeader' | 'hasCells', form: Form | undefined): boolean =>
  form !== undefined && formTraits[form][trait] === true
