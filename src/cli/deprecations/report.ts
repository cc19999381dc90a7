import {countOf, type Report} from '../../deprecations/check/finding.js'
import type {Form} from '../output/view.js'
import {usage} from '../process/failure.js'
import {type Format, formats} from './forms.js'

export const dayFlagSummary = 'Use the status that each deprecation has on this day.'

/** The format of a report: `--format`, or JSON for `--output json`. */
export function formatOf(format: Format | undefined, form: Form | undefined): Format {
  if (format !== undefined) return format
  if (form === undefined || form === 'table' || form === 'card') return 'text'
  if (form === 'json') return 'json'
  throw usage(`A report has no form '${form}'.`, `Use --format ${formats.join('|')}.`)
}

/** Whether the findings include what `--fail-on` names. */
export function endsBadly(report: Report, failOn: 'removed' | 'deprecated' | 'none'): boolean {
  if (failOn === 'none') return false
  return failOn === 'deprecated' ? report.findings.length > 0 : countOf(report, 'error') > 0
}
