import {fieldRows, flagOf} from '../../domain/customers/fields.js'
import {isPersonal} from '../../domain/field.js'
import {isMemberName, isShown} from './impersonal.js'

/**
 * Masks personal data in the output of one run. Documents are masked member by member: only members that are known to be
 * impersonal are shown, custom fields never. Sentences are masked by the personal values that this run has read, sent or
 * been given. `--reveal` shows members by name or path.
 */
export class Redaction {
  readonly on = true
  readonly #revealed: ReadonlySet<string>
  readonly #seen = new Set<string>()

  constructor(revealed: readonly string[] = []) {
    this.#revealed = new Set(revealed)
  }

  /** A copy of a document as it may be shown. */
  document(value: unknown): unknown {
    return this.#value(value, [])
  }

  /** Remembers the personal values of a document that is not itself shown. */
  learn(value: unknown): void {
    this.#value(value, [])
  }

  /** Remembers the personal values of a command line: `email=…`, `--first-name …`, email addresses. */
  learnArguments(argv: readonly string[]): void {
    for (const [at, argument] of argv.entries()) {
      const [, name, value] = /^(?:--|.*\/)?([\w.-]+):?=(.+)$/s.exec(argument) ?? []
      if (name !== undefined && value !== undefined) {
        const path = name.split('.')
        this.#remember(value, !isShown(path.at(-1) ?? '') && !this.#isRevealed(path))
      } else if (argument.includes('@')) this.#remember(argument, true)
      const flag = argv[at - 1]
      if (flag !== undefined && personFlags.has(flag)) this.#remember(argument, true)
    }
  }

  /** A sentence with the personal values in it masked. */
  readonly text = (text: string): string =>
    text.replace(words, (word) => (this.#isPersonal(word) ? String(masked(word)) : word))

  /** A note on stderr. Quoted text is masked too, since it may be a value not seen before, such as a cell of a file. */
  note(text: string): string {
    return this.#quoted(this.text(text))
  }

  /** An error report with the values that it repeats masked, in message, hints and details. */
  error<E extends {readonly message: string; readonly hints: readonly string[]; readonly details: readonly unknown[]}>(
    report: E,
  ): E {
    const details = this.#value(report.details, ['details']) as readonly unknown[]
    return {
      ...report,
      ...this.#object(groupsOf(report), []),
      message: this.#quoted(this.text(report.message)),
      hints: report.hints.map((hint) => this.text(hint)),
      details: details.map((entry, at) => this.#withMessage(entry, report.details[at])),
    }
  }

  #withMessage(entry: unknown, original: unknown): unknown {
    const message: unknown =
      typeof original === 'object' && original !== null ? Reflect.get(original, 'message') : undefined
    if (typeof message !== 'string') return entry
    return {...(entry as object), message: this.#quoted(this.text(message))}
  }

  #quoted(text: string): string {
    return text.replace(/'([^']+)'/g, (quote, inner: string) =>
      isMemberName(inner) || madeByService.test(inner) ? quote : `'${String(masked(inner))}'`,
    )
  }

  #isPersonal(word: string): boolean {
    const bare = bareWord(word)
    return this.#seen.has(bare) || (/.@./.test(bare) && !this.#revealed.has('email'))
  }

  #isRevealed(path: readonly string[]): boolean {
    if (this.#revealed.size === 0) return false
    const named = path.filter((step) => !/^\d+$/.test(step))
    return [path.at(-1), path.join('.'), named.join('.')].some((name) => name !== undefined && this.#revealed.has(name))
  }

  #value(value: unknown, path: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((entry: unknown, at) => this.#value(entry, [...path, `${at}`]))
    if (typeof value === 'object' && value !== null) return this.#object(value, path)
    const name = path.findLast((step) => !/^\d+$/.test(step))
    // Counts go by the names of members.
    if (name === undefined || isShown(name) || (path.at(-2) === 'members' && typeof value === 'number')) return value
    // The reason of an act is its person's own words, that of a row is ours.
    const isOfRow = name === 'reason' && (path.includes('rows') || path.includes('refused'))
    if (typeof value === 'string' && (isOfRow || sentences.has(name)))
      return path.includes('causes') || isOfRow ? this.note(value) : this.text(value)
    return typeof value === 'string' && madeByService.test(value) ? value : this.#mask(value)
  }

  #object(object: object, path: readonly string[]): object {
    if (isDifference(object)) return this.#difference(object)
    const isOfProject = projectKinds.has(String(Reflect.get(object, 'typeId')))
    return Object.fromEntries(
      Object.entries(object).map(([name, value]: [string, unknown]) => {
        const inner = [...path, name]
        if ((isOfProject && projectMembers.has(name)) || this.#isRevealed(inner)) return [name, value]
        // Names of cells, by which aliases go, may be anything.
        if (name === 'aliases') return [name, {}]
        return [name, name === 'custom' ? this.#custom(value, inner) : this.#value(value, inner)]
      }),
    )
  }

  /** Masks custom fields completely: no declaration says which of them are impersonal. */
  #custom(value: unknown, path: readonly string[]): unknown {
    if (typeof value !== 'object' || value === null) return this.#mask(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => [
        name,
        name === 'type' ? this.#value(member, [...path, name]) : this.#everything(member, [...path, name]),
      ]),
    )
  }

  #everything(value: unknown, path: readonly string[]): unknown {
    if (path.length > 0 && this.#isRevealed(path)) return value
    if (Array.isArray(value)) return value.map((entry: unknown) => this.#everything(entry, []))
    if (typeof value !== 'object' || value === null) return this.#mask(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#everything(member, [...path, name])]),
    )
  }

  /** Masks a difference by the member that its path names. */
  #difference({path, before, after, ...rest}: Difference): object {
    const steps = path.split('.')
    const show = (value: unknown): unknown => {
      if (this.#isRevealed(steps)) return value
      return steps.includes('custom') && !path.includes('custom.type.') ? this.#mask(value) : this.#value(value, steps)
    }
    return {
      ...rest,
      path,
      ...(before === undefined ? {} : {before: show(before)}),
      ...(after === undefined ? {} : {after: show(after)}),
    }
  }

  #mask(value: unknown): unknown {
    this.#remember(typeof value === 'string' ? value : JSON.stringify(value), true)
    return masked(value)
  }

  #remember(text: string | undefined, isPersonal: boolean): void {
    if (!isPersonal || text === undefined || madeByService.test(text)) return
    const all = [...text.matchAll(words)].map(([word]) => word)
    for (const word of all.filter((one) => all.length === 1 || isTelling(one))) {
      const bare = bareWord(word)
      // Single letters and small numbers occur in every sentence and identify nobody; one ideograph is a name.
      if (/^[ -~]?$/.test(bare) || /^\d{1,4}$/.test(bare) || isMemberName(bare)) continue
      if (this.#seen.size < maxSeen) this.#seen.add(bare)
    }
  }
}

const maxSeen = 200_000

/** Members that hold sentences of this program. */
const sentences: ReadonlySet<string> = new Set(['next', 'message', 'hints', 'example', 'fix'])

/** UUIDs, which identify nobody by themselves. */
const madeByService = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const words = /[^\s"'“”‘’,;:()<>[\]{}|→=/\\]+/gu

/** Whether one of several words identifies a person: longer than three characters, and not an all-lower-case word. */
const isTelling = (word: string): boolean => word.length > 3 && !/^[a-z]+[.!?…]*$/.test(word)
/** A word as it is compared: lower case, except short words, where `Ms` and `ms` differ. */
function bareWord(word: string): string {
  const bare = word.replace(/[.!?…]+$/u, '')
  return bare.length > 3 ? bare.toLowerCase() : bare
}

/** Flags whose value is personal data, or free text about a person. */
const personFlags: ReadonlySet<string> = new Set([
  ...fieldRows.filter(({personal}) => isPersonal(personal)).map((field) => `--${flagOf(field)}`),
  ...['--reason', '--comment', '--add-address', '--remove-address'],
])

interface Difference {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

const isDifference = (object: object): object is Difference =>
  'path' in object && typeof object.path === 'string' && ('before' in object || 'after' in object)

const groupsOf = (report: object): object =>
  Object.fromEntries(Object.entries(report).filter(([name]) => name === 'causes' || name === 'aliases'))

/** Resources of the project itself, whose keys are not personal data. */
const projectKinds: ReadonlySet<string> = new Set([
  'store',
  'customer-group',
  'type',
  'channel',
  'state',
  'tax-category',
])
/** Members of a reference to one, which names no person. */
const projectMembers: ReadonlySet<string> = new Set(['typeId', 'id', 'key', 'obj'])

/**
 * `ada@example.com` as `a***@e***.com`; other text as its first character. Two characters, and a value that is not text,
 * are hidden completely.
 */
function masked(value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (typeof value !== 'string') return '***'
  const [, first, host, end] = /^(.).*@(.).*?(\.[^.]+)?$/su.exec(value) ?? []
  if (first !== undefined) return `${first}***@${host}***${end ?? ''}`
  return /^..?$/su.test(value) ? '***' : value.replace(/^(.).*$/su, '$1***')
}
