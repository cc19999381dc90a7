import type {Command} from '@oclif/core'
import {ApiError} from '../../domain/errors.js'
import {BaseCommand} from '../command/base-command.js'
import {choiceFlag} from '../input/flags.js'
import {reportForm} from '../output/ci-text.js'
import {reportOf} from '../output/error-report.js'
import {endingOf} from '../process/exit-codes.js'
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
    const {reporter} = this.flags as {readonly reporter?: Reporter | undefined}
    this.#reporter = reportForm(reporter, this.output.form, `--reporter ${reporterNames.join('|')}`)
  }

  protected async report(suite: string, {checks, error}: Run): Promise<void> {
    const summary = summaryOf(suite, this.subject, checks)
    const bad = {...summary, checks: summary.checks.filter(({result}) => result === 'failed' || result === 'error')}
    await this.output.report(reporters[this.#reporter](summary), reporters.text(bad))
    const isNone = error instanceof ApiError && !isAnswered(error)
    if (error !== undefined) this.endWith(isNone ? 'unavailable' : endingOf(reportOf(error).exitCode))
    else if (!summary.ok) this.endWith('checkFailed')
  }
}
