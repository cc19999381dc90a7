import {githubReport} from './github.js'
import {jsonReport} from './json.js'
import {junitReport} from './junit.js'
import type {Report} from './report.js'
import {sarifReport} from './sarif.js'
import {textReport} from './text.js'

export const formats = ['text', 'json', 'sarif', 'github', 'junit'] as const

export type Format = (typeof formats)[number]

/** A report in one of its forms, complete with its last newline. `version` is frontdesk's own. */
export const reportText = (report: Report, format: Format, version: string): string => {
  switch (format) {
    case 'text':
      return textReport(report)
    case 'json':
      return jsonReport(report)
    case 'sarif':
      return sarifReport(report, version)
    case 'github':
      return githubReport(report)
    case 'junit':
      return junitReport(report)
  }
}
