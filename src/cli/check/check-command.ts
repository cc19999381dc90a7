import type {Command} from '@oclif/core'
import {ApiError} from '../../domain/errors.js'
import {BaseCommand} from '../command/base-command.js'
import {choiceFlag} from '../input/flags.js'
import {reportOf} from '../output/error-report.js'
import type {Form} from '../output/view.js'
import {endingOf} from '../process/exit-codes.js'
import {usage} from '../process/failure.js'
import {type Reporter, reporterNames, reporters} from './reporters.js'
import {isAnswered, type Run, summaryOf} from './runner.js'

/** A command that checks something and reports it: code 9 if a check is false, the error's own if no answer came. */
export abstract class CheckCommand<T extends typeof Command> extends BaseCommand<T> {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    reporter: choiceFlag(reporterNames, 'Form of the report; text by default.'),
  }

  #reporter: Reporter = 'text'

  protected override get reports(): boolean {
    return true
  }

  /** Refuses a form of output that a report cannot have before anything is asked or sent. */
  override async init(): Promise<void> {
    await super.init()
    if (!this.reports) return
    this.#reporter = reporterOf((this.flags as {readonly reporter?: Reporter | undefined}).reporter, this.output.form)
  }

  protected async report(suite: string, {checks, error}: Run): Promise<void> {
    const summary = summaryOf(suite, this.subject, checks)
    await this.output.text(reporters[this.#reporter](summary))
    // A file in a workspace is not the log of the job: it says what failed all the same.
    if (this.flags['out'] !== undefined) {
      const bad = {...summary, checks: summary.checks.filter(({result}) => result === 'failed' || result === 'error')}
      for (const line of reporters.text(bad).trimEnd().split('\n')) this.say(line)
    }
    const isNone = error instanceof ApiError && !isAnswered(error)
    if (error !== undefined) this.endWith(isNone ? 'unavailable' : endingOf(reportOf(error).exitCode))
    else if (!summary.ok) this.endWith('checkFailed')
  }
}

function reporterOf(reporter: Reporter | undefined, form: Form | undefined): Reporter {
  if (reporter !== undefined) return reporter
  if (form === undefined || form === 'table' || form === 'card') return 'text'
  if (form === 'json') return 'json'
  throw usage(`A report has no form '${form}'.`, `Use --reporter ${reporterNames.join('|')}.`)
}
