import {extname} from 'node:path'
import type {Report} from '../../deprecations/check/finding.js'
import type {PlanPage} from '../bulk/plan-page.js'
import {usage} from '../process/failure.js'
import {beside} from '../safety/door.js'
import type {Run} from './run.js'

/** Whether a report is to be a page for people; every other name means what it always meant. */
export const isPage = (path: string | undefined): path is string =>
  path !== undefined && /^\.html?$/i.test(extname(path))

/** The file of a page. Throws usage for a name that says something else. */
export function pageFile(path: string): string {
  if (isPage(path)) return path
  throw usage(`--report ${path} is no page.`, 'Name a file that ends with .html.')
}

/** Writes a page so that it appears whole, readable by its owner only. A page of before is replaced. */
export async function writePage(run: Run, path: string, text: string): Promise<void> {
  const [{createPrivateFile}, {withFailures}] = await Promise.all([
    import('../../transfer/files/private-file.js'),
    import('../bulk/failures.js'),
  ])
  await beside(run, `write ${path}`, () =>
    withFailures(
      () => createPrivateFile(path, true, (file) => file.write(text)),
      () => undefined,
    ),
  )
}

/** Writes the page of a check for deprecations. */
export async function writeDeprecationsPage(
  run: Run,
  path: string,
  report: Report,
  command: string,
  madeAt: number,
): Promise<void> {
  const {deprecationsPage} = await import('../deprecations/deprecations-page.js')
  await writePage(run, path, deprecationsPage(report, command, madeAt))
}

/** How many rows of a plan a page has. */
export const maxPlannedRows = 500

/** Writes the page of a comparison. */
export async function writePlanPage(run: Run, path: string, plan: PlanPage): Promise<void> {
  const {planPage} = await import('../bulk/plan-page.js')
  await writePage(run, path, planPage(plan))
}
