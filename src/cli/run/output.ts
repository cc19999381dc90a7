import {extname} from 'node:path'
import {documentText, type Page, pageText} from '../output/render.js'
import {type Form, formAdvice, forms, formTraits, type Style, type View} from '../output/view.js'
import {wrappedLines} from '../output/wrap.js'
import {usage} from '../process/failure.js'
import {type Environment, isDumb, isOn, isPlain, variable, written} from '../process/io.js'
import {jsonText, oneLine} from '../process/sanitize.js'
import type {Run} from './run.js'
import {noteFile} from './written-files.js'

/** Prints the result of one run, in the chosen format, to stdout or the file of `--out`. */
export class Output {
  readonly #run: Run<{readonly json?: boolean}>
  readonly #form: string | undefined

  /** `form`: the one that the profile prefers. */
  constructor(run: Run<{readonly json?: boolean}>, form: string | undefined) {
    this.#run = run
    this.#form = form
  }

  /** The form that was asked for by flag, environment or profile; undefined leaves the choice to the command. */
  get form(): Form | undefined {
    const {flags, io} = this.#run
    if (flags.json) return 'json'
    const byName = forms.find((one) => formTraits[one].extensions?.includes(extname(flags.out ?? '').toLowerCase()))
    const asked = flags.output ?? byName ?? variable(io.env, 'FRONTDESK_OUTPUT') ?? this.#form
    if (asked === undefined) return undefined
    const form = forms.find((one) => one === asked)
    if (!form) throw usage(`'${asked}' is not a form of output.`, `Use one of ${forms.join(', ')}.`)
    return form
  }

  get style(): Style {
    const {flags, io} = this.#run
    const {stdout, env, clock} = io
    const {fields, out} = flags
    const terminal = stdout.isTTY === true && out === undefined
    const paths = fields
      ?.split(',')
      .map((path) => path.trim())
      .filter((path) => path !== '')
    return {
      terminal,
      plain: isPlain(env),
      columns: stdout.columns || 80,
      now: clock(),
      onHidden: (headers) =>
        headers.length > 0 && this.#run.hint(`Columns that do not fit: ${headers.join(', ')} (-o json has all).`),
      colour: this.#colour(terminal, env),
      header: flags['no-header'] !== true,
      excelSafe: flags['excel-safe'] === true,
      ...(paths && paths.length > 0 ? {fields: paths} : {}),
    }
  }

  #colour(terminal: boolean, env: Environment): boolean {
    if (this.#run.flags['no-color'] || variable(env, 'NO_COLOR') !== undefined) return false
    return isOn(env, 'FORCE_COLOR') || (terminal && !isDumb(env))
  }

  /** One document. Throws a usage error for `--fields` that it cannot have. */
  async document(document: unknown, view: View, byDefault: Form = 'card'): Promise<void> {
    this.#refuseHeader(this.form ?? byDefault)
    await this.#checkFields([document], view)
    await this.#document(document, view, byDefault)
  }

  async #document(document: unknown, view: View, byDefault: Form = 'card'): Promise<void> {
    await this.text(await documentText(this.masked(document), this.form ?? byDefault, view, this.style))
  }

  /** A page of documents. Throws as `document` does. */
  async page(page: Page, view: View, byDefault: Form = 'table'): Promise<void> {
    await this.#checkFields(page.results, view)
    await this.text(await pageText(this.masked(page) as Page, this.form ?? byDefault, view, this.style))
  }

  /** A page of a longer list; `more` tells how to see the rest. Returns whether there may be a rest. */
  async list(page: Page & Counted, view: View, more: string): Promise<boolean> {
    await this.page(page, view)
    const cut = cutNote(page, this.form, more)
    if (cut !== undefined) this.#run.hint(cut)
    return cut !== undefined
  }

  async #checkFields(documents: readonly unknown[], {model}: View): Promise<void> {
    const {fields} = this.style
    if (!fields || !model) return
    const {unknownFields} = await import('../output/known-fields.js')
    const refusal = unknownFields(fields, documents, await model())
    if (refusal) throw refusal
  }

  /** An answer of the command itself: an object for programs, a sentence or lines for people. */
  async answer(answer: object, lines: string): Promise<void> {
    const {form} = this
    // What has happened is shown, whatever a flag asks for.
    if (!this.#run.hasActed) this.#refuseRows(form)
    if (form === undefined || form === 'card' || form === 'table' || form === 'ids') {
      this.#run.redaction.learn(answer)
      await this.sentences(lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`)
    } else {
      await this.document(answer, {columns: []})
    }
  }

  #refuseHeader(form: Form | undefined): void {
    if (this.#run.flags['no-header'] && !this.#run.hasActed && !(form && formTraits[form].hasHeader))
      throw usage('--no-header has no effect: the result has no header.', formAdvice.hasHeader)
  }

  /** Refuses flags that choose among rows and columns, where there are none. */
  #refuseRows(form: Form | undefined): void {
    if (form === 'ids')
      throw usage('--output ids has no effect here: the answer has no ids.', 'Leave it out, or use --json.')
    if (this.style.fields && (form === undefined || form === 'card' || form === 'table'))
      throw usage('--fields has no effect on this text.', 'Add --json, or leave it out.')
    this.#refuseHeader(form && formTraits[form].hasCells ? form : undefined)
  }

  /**
   * What a write changed: lines for people, the document for programs and for who asks for a form. It is shown whatever
   * `--fields` says, since it has happened.
   */
  async change(document: unknown, view: View, lines: readonly string[]): Promise<void> {
    this.#run.redaction.learn(document)
    if (this.form === undefined) await this.sentences(`${lines.map(oneLine).join('\n')}\n`)
    else await this.#document(document, view)
  }

  /** One line of text, made safe. */
  async sentence(text: string): Promise<void> {
    await this.sentences(`${oneLine(text)}\n`)
  }

  /** Lines for people about a row, masked by the personal values of the row. */
  async rowLines(row: object, lines: string): Promise<void> {
    this.#run.redaction.learn(row)
    await this.sentences(lines)
  }

  /** Text of this program, with personal values masked and lines that fit the terminal. */
  async sentences(text: string): Promise<void> {
    const shown = this.#run.redaction.text(text)
    const {terminal, columns} = this.style
    await this.text(terminal ? wrappedLines(shown, columns, ({length}) => length) : shown)
  }

  /**
   * Prints documents as they come, each as a line of JSON for programs or a line of text for people. Refuses at once the
   * flags that need a whole result; `onlyOne`: there is one document, which `--out` can hold.
   */
  stream<D extends object>(lineOf: (document: D) => string, onlyOne = false): (document: D) => Promise<void> {
    const {output, out, fields} = this.#run.flags
    this.#refuseHeader(undefined)
    const isJson = this.form === 'json' || this.form === 'jsonl'
    if (output !== undefined && !isJson)
      throw usage(`--output ${output} has no effect on what is printed line by line.`, 'Use jsonl, or leave it out.')
    if (fields !== undefined && !isJson)
      throw usage('--fields has no effect on this text.', 'Add -o jsonl, or leave it out.')
    if (out !== undefined && !onlyOne)
      throw usage('--out takes a whole result, and this one has no end.', `Leave it out, and write > ${out} instead.`)
    return async (document) => {
      if (isJson) await this.text(await documentText(this.masked(document), 'jsonl', {columns: []}, this.style))
      else await this.sentence(lineOf(document))
    }
  }

  /** A report. Of one that goes to a file, `said` is said as well: a file in a workspace is not the log of the job. */
  async report(report: string, said: string): Promise<void> {
    await this.text(report)
    const lines = this.#run.flags.out === undefined ? [] : said.trimEnd().split('\n')
    for (const line of lines) if (line !== '') this.#run.say(line)
  }

  /** JSON in one line, for results that are read line by line. */
  async line(value: unknown): Promise<void> {
    await this.text(`${jsonText(this.masked(value))}\n`)
  }

  /** A value with its personal data masked, if this run redacts. */
  masked(value: unknown): unknown {
    return this.#run.redaction.document(value)
  }

  /** Finished text whose personal data is masked already, to the file of `--out` or to stdout. */
  async text(text: string): Promise<void> {
    const {out} = this.#run.flags
    if (out !== undefined && !this.#run.isDry) {
      if (this.#run.files.result(out, text)) noteFile(this.#run, out)
      return
    }
    if (out !== undefined) this.#run.say(`A dry run does not write ${out}.`)
    await written(this.#run.io.stdout, text)
  }
}

interface Counted {
  readonly count: number
  readonly limit?: number
  readonly offset?: number
  readonly total?: number
}

/**
 * What is said of results that are not all there are; `more` tells how to see the rest. Nothing for forms that show the
 * counts themselves.
 */
function cutNote({count, limit, offset = 0, total}: Counted, form: Form | undefined, more: string): string | undefined {
  if (form && formTraits[form].hasWrapper) return undefined
  const end = count === 0 ? 0 : offset + count
  if (total !== undefined) return total > end ? `${count} of ${total} shown: ${more}` : undefined
  return count > 0 && count === limit ? `${count} shown, and there may be more: ${more}` : undefined
}
