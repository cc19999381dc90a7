import type {Counts} from '../jobs/journal-lines.js'
import {writeReport} from '../jobs/report.js'
import {type Decided, Execution, type ExecutionOptions} from './execution.js'
import type {OpenJob} from './open-job.js'

/** What became of a job. */
export interface CarriedOut {
  readonly counts: Counts
  /** The table of failed rows, if any row failed. */
  readonly report: string | null
}

/** Brings every row of a job to its end, reports those that failed, and ends its journal. Throws RunStopped. */
export async function carryOut<P extends Decided>(
  {job, journal, progress}: OpenJob,
  files: readonly string[],
  reportPath: string,
  options: Omit<ExecutionOptions<P>, keyof OpenJob>,
): Promise<CarriedOut> {
  try {
    const counts = await new Execution<P>({...options, job, journal, progress}, files).run()
    const report = counts.failed > 0 ? reportPath : null
    if (report !== null) await writeReport(journal.path, report, files)
    journal.append({end: counts, report, at: new Date(options.now()).toISOString()})
    await journal.close()
    return {counts, report}
  } catch (error) {
    // A journal that cannot be written says so again; what stopped the run says more.
    await journal.close().catch(() => undefined)
    throw error
  }
}
