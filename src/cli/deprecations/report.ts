import {type Format, formats, reportText} from '../../deprecations/report/index.js'
import {countOf, type Report} from '../../deprecations/report/report.js'
import {usage} from '../process/failure.js'
import type {Form} from '../render/view.js'

export {formats, reportText}

export const dayFlagSummary = 'Judge by what is deprecated and removed on this day.'

/** The form of a report: `--format`, or JSON where that is how results are wanted. */
export function formatOf(format: Format | undefined, form: Form | undefined): Format {
  if (format !== undefined) return format
  if (form === undefined || form === 'table' || form === 'card') return 'text'
  if (form === 'json') return 'json'
  throw usage(`A report has no form '${form}'.`, `Use --format ${formats.join('|')}.`)
}

/** Whether what was found is what `--fail-on` names. */
export function endsBadly(report: Report, failOn: 'removed' | 'deprecated' | 'none'): boolean {
  if (failOn === 'none') return false
  return failOn === 'deprecated' ? report.findings.length > 0 : countOf(report, 'error') > 0
}
