import {countOf, type Report} from './report.js'
import {visibleJson} from './visible.js'

/** The one document of `--json`. */
const jsonDocument = (report: Report) => ({
  count: report.findings.length,
  errors: countOf(report, 'error'),
  warnings: countOf(report, 'warning'),
  ...(report.known === undefined ? {} : {known: report.known}),
  ...(report.gone === undefined ? {} : {gone: report.gone}),
  results: report.findings,
  notes: report.notes,
})

export const jsonReport = (report: Report): string => visibleJson(jsonDocument(report))
