import {expect} from 'chai'
import {reportOf} from '../../../src/cli/output/error-report.js'
import {interruptedOr} from '../../../src/cli/process/interruption.js'
import {noCounts} from '../../../src/transfer/jobs/journal-lines.js'
import {RunStopped} from '../../../src/transfer/run/run-stopped.js'

const reported = (error: unknown) => reportOf(interruptedOr(error))

describe('cli · what ends a bulk run', () => {
  it('is no bug if it is a signal, before the first write or after it', () => {
    const {reason} = AbortSignal.abort()
    const before = reported(reason)
    expect(before).to.include({code: 'Interrupted', exitCode: 130, message: 'Interrupted; nothing was written.'})
    const after = reported(new RunStopped('job-1', {...noCounts, read: 3}, true, reason))
    expect(after).to.include({code: 'Interrupted', exitCode: 130})
    expect(after.hints.join()).to.include('--resume')
  })

  it('is the state of this machine if the disk is full', () => {
    for (const code of ['ENOSPC', 'EFBIG', 'EDQUOT']) {
      const full = Object.assign(new Error(`${code}: write`), {code})
      const stopped = reported(new RunStopped('job-1', noCounts, false, full))
      expect(stopped).to.include({code, exitCode: 13})
      expect(stopped.hints.join()).to.include('--resume')
    }
  })
})
