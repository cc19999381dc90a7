import {addressOf} from '../../client/place.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import type {BegunChange, ChangesOf, SentChange} from '../../transfer/jobs/changes.js'
import type {Run} from '../run/run.js'
import {jobsFolder} from '../target/settings.js'

/** The changes of customers by hand that this machine keeps, each as a job of one row. */

export const changesAt = ({folders, resolved}: Run): ChangesOf => {
  const {projectKey, storeKey} = resolved.target
  return {dir: jobsFolder(folders), target: addressOf(resolved.target), projectKey, ...defined({storeKey})}
}

/**
 * Keeps what a change is about to replace, for `updateCustomer`. `back`: it brings back the state of this version.
 * What is noted after the change cannot undo it: a failure then is a note, and no error.
 */
export const keeping =
  (run: Run, back?: number) =>
  async (sent: SentChange): Promise<BegunChange> => {
    const {beginChange} = await import('../../transfer/jobs/changes.js')
    const {io, command} = run
    const begun = await beginChange(changesAt(run), command, sent, io.clock())
    return {
      ...begun,
      made: async (after: Customer) => {
        try {
          return await begun.made(after, back)
        } catch (error) {
          await begun.leave()
          run.say(`The replaced values could not be stored for an undo: ${(error as Error).message}`)
          return false
        }
      },
    }
  }
