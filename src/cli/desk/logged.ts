import {placeOf} from '../../client/place.js'
import {defined} from '../../domain/equal.js'
import {type ErrorReport, reportOf} from '../output/error-report.js'
import {beside, type Run} from '../run/run.js'
import {type AuditEntry, appendAudit} from '../safety/audit.js'
import {auditFolder} from '../target/settings.js'
import type {Opened} from './act.js'
import type {Call} from './policy.js'

/** Notes something of a call in the audit log at once, since a terminal goes away (decision 74). Returns why it could not. */
export function logged(
  run: Run,
  {customer}: Opened,
  {ticket, reason}: Call,
  what: Pick<AuditEntry, 'phase'> & Partial<AuditEntry>,
): ErrorReport | undefined {
  const {label, target} = run.resolved
  const about = {profile: label, project: target.projectKey, place: placeOf(target), command: 'desk'}
  const entry = {...about, ...defined({target: customer.id || undefined, ticket, reason}), ...what}
  let report: ErrorReport | undefined
  void beside(run, 'note what a call was about', () => {
    try {
      appendAudit(auditFolder(run.folders), entry, run.io.clock())
    } catch (error) {
      report = run.redaction.error(reportOf(error))
    }
  })
  return report
}
