import {closeSync, lstatSync, openSync, readSync, statSync} from 'node:fs'
import {resolve} from 'node:path'
import {type Existing, OutFile} from '../output/out-file.js'
import {Failure, usage} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {whyNot} from '../process/system-errors.js'

/** What a flag does with a file that exists; undefined for a flag that names no file to write. */
export const existingOf = (flag: object): Existing | undefined =>
  'writes' in flag ? (flag.writes as Existing) : undefined

/** What it asks of the run whose files they are. */
interface Acting {
  readonly hasActed: boolean
  readonly io: Io
  stderr(text: string): void
  endUnwritten(): void
}

interface Given {
  /** The flags of the command, of which some are declared with `outputFile`. */
  readonly declared: Readonly<Record<string, object>>
  readonly flags: object
  /** What the command does with an existing file of `--out`. */
  readonly existingOut: Existing
  /** Every word and value that was typed, with its flag: some name files that are read. */
  readonly typed: readonly {readonly flag?: string; readonly input: string}[]
}

/**
 * The output files of a run, reserved before the first request and named once they are complete. If one fails after an
 * effect, the run still reports the effect, and the text goes to stderr.
 */
export class OutFiles {
  readonly #run: Acting
  readonly #reserved = new Map<string, OutFile>()

  constructor(run: Acting) {
    this.#run = run
  }

  /** Takes the place of every file that the flags name. Throws usage for one that cannot be written. */
  reserve({declared, flags, existingOut, typed}: Given): void {
    const isReplaced = Reflect.get(flags, 'yes') === true
    for (const [name, flag] of Object.entries(declared)) {
      const path: unknown = Reflect.get(flags, name)
      const existing = existingOf(flag)
      if (existing === undefined || typeof path !== 'string') continue
      // Not a file: the result goes to stdout, as without --out, the trace to stderr; what else it may mean is up to the command.
      if (path === '-' && (name !== 'out' || Reflect.deleteProperty(flags, 'out'))) continue
      if (this.#reserved.has(resolve(path)))
        throw usage(`--${name} names the file of another flag.`, 'Name another file.')
      const source = typed.find(({flag, input}) => flag !== name && isSameFile(input.replace(/^@/, ''), path))
      if (source) throw usage(`--${name} names ${source.input}, which this command reads.`, 'Name a new file.')
      const isOther = existing === 'replaced' && !isReplaced && !isReport(path)
      if (name === 'out') this.#take(path, existingOut, orYes)
      else this.#take(path, isOther ? 'refused' : existing, isOther ? orYes : undefined)
    }
  }

  #take(path: string, existing: Existing, remedy?: string): OutFile {
    const file = new OutFile(path, existing, remedy)
    this.#reserved.set(resolve(path), file)
    return file
  }

  /** Writes a file before an effect that rests on it. Throws if it cannot be written. */
  write(path: string, text: string): void {
    const file = this.#reserved.get(resolve(path)) ?? this.#take(path, 'refused')
    this.#reserved.delete(resolve(path))
    try {
      file.publish(text)
    } catch (error) {
      throw new Failure('localState', 'NotWritten', `${path} could not be written: ${whyNot(error)}.`, {
        hints: ['Make room or repair it, then repeat.'],
        cause: error,
      })
    } finally {
      file.release()
    }
  }

  /**
   * Writes a result. Returns whether it is in the file: after an effect a failure is said, and `rescue`, the text where it
   * cannot be made again, goes to stderr. Without an effect it throws.
   */
  result(path: string, text: string, rescue = text): boolean {
    try {
      this.write(path, text)
      return true
    } catch (error) {
      if (!this.#run.hasActed || !(error instanceof Failure)) throw error
      this.#run.stderr(`It is done, but ${error.message}`)
      this.#run.io.stderr.write(rescue)
      this.#run.endUnwritten()
      return false
    }
  }

  /** Removes what was reserved and not written. */
  release(): void {
    for (const file of this.#reserved.values()) file.release()
    this.#reserved.clear()
  }
}

const orYes = 'Name a new file, or add --yes to replace it.'

/** Whether two paths lead to one file that is there. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, {throwIfNoEntry: false, bigint: true}))
  return a?.isFile() === true && a.dev === b?.dev && a.ino === b.ino
}

/** What becomes of an existing file of `--out`; `reports`: a report that the command wrote before is replaced. */
export const existingOut = (
  {out, yes}: {readonly out?: string | undefined; readonly yes?: boolean | undefined},
  reports: boolean,
): Existing => (yes === true || (reports && isReport(out)) ? 'replaced' : 'refused')

/** Whether a file is a report of a check or a run, and not anything else that is in the way. */
function isReport(path: string | undefined): boolean {
  const found = path === undefined ? undefined : lstatSync(path, {throwIfNoEntry: false})
  if (path === undefined || !found?.isFile()) return false
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(65_536)
    const text = head.toString('utf8', 0, readSync(file, head))
    return text === '' || reportHeads.test(text.slice(0, 400)) || /^.*\b_line\W+_outcome\W/.test(text)
  } finally {
    closeSync(file)
  }
}

/** The heads of JUnit, TAP, GitHub commands, SARIF, JSON and text reports, and of pages. */
const reportHeads =
  /^(<!doctype html>\s<html lang="en"><head>|<\?xml[^>]*>\s*<testsuites?\b|TAP version|1\.\.\d|::(error|warning|notice)|\{\s*"(suite|count|\$schema|version)"|target: |.*\n {2}\d+:\d+ +(error|warning) )/
