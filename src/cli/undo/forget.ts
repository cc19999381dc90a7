import {type Folders, jobsFolder} from '../target/settings.js'

/** Overwrites what jobs of this machine kept of customers who are gone. */
export async function forgetInJobs(folders: Folders, ids: readonly string[]): Promise<void> {
  const {forgetInImages} = await import('../../transfer/jobs/before-images.js')
  await forgetInImages(jobsFolder(folders), new Set(ids))
}
