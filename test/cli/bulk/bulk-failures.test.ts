import {expect} from 'chai'
import {withFailures} from '../../../src/cli/bulk/failures.js'
import {reportOf} from '../../../src/cli/output/error-report.js'
import {noCounts} from '../../../src/transfer/jobs/journal-lines.js'
import {RunStopped} from '../../../src/transfer/run/execution.js'
import {failureOf} from '../../transfer/scratch.js'

const reported = async (error: unknown) =>
  reportOf(
    await failureOf(
      withFailures(
        () => Promise.reject(error),
        () => undefined,
      ),
    ),
  )

describe('cli · what ends a bulk run', () => {
  it('is no bug if it is a signal, before the first write or after it', async () => {
    const {reason} = AbortSignal.abort()
    const before = await reported(reason)
    expect(before).to.include({code: 'Interrupted', exitCode: 130, message: 'Interrupted; nothing was written.'})
    const after = await reported(new RunStopped('job-1', {...noCounts, read: 3}, true, reason))
    expect(after).to.include({code: 'Interrupted', exitCode: 130})
    expect(after.hints.join()).to.include('--resume')
  })

  it('is the state of this machine if the disk is full', async () => {
    for (const code of ['ENOSPC', 'EFBIG', 'EDQUOT']) {
      const full = Object.assign(new Error(`${code}: write`), {code})
      const stopped = await reported(new RunStopped('job-1', noCounts, false, full))
      expect(stopped).to.include({code, exitCode: 13})
      expect(stopped.hints.join()).to.include('--resume')
    }
  })
})
