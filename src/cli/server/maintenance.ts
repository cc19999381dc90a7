import type {Diagnosis, Examination, Repair, Snapshot} from '../../client/local/maintenance.js'
import {kept, moment, type View, whole} from '../output/view.js'
import {Failure} from '../process/failure.js'

export {
  diagnoseLocal,
  examineTables,
  keptCopies,
  listSnapshots,
  migrateState,
  repairLocal,
  restoreSnapshot,
  saveSnapshot,
} from '../../client/local/maintenance.js'

const projectsOf = (document: unknown): string => (document as Snapshot).projects.join(' ')

export const snapshotView: View = {
  columns: [whole('name'), moment('saved', 'savedAt'), kept('projects', projectsOf)],
  id: 'name',
}

/** The diagnosis as text, one line for each finding. */
export function diagnosisLines({projects, findings}: Diagnosis): string {
  const sizes = projects.map(({name, documents}) => `${name}: ${documents} documents`)
  const found = findings.map(({severity, path, problem, remedy}) => `${severity}: ${path}: ${problem} ${remedy}`)
  return [...sizes, ...(found.length === 0 ? ['nothing is wrong'] : found)].join('\n')
}

/** A unique key that does not agree with its document, as a line. */
export function disagreementLine({
  project,
  kind,
  id,
  key,
  problem,
  mended,
}: Examination['disagreements'][number]): string {
  const what = problem === 'orphan' ? 'has no document that holds it' : 'is missing in the tables'
  const end = mended === undefined ? '' : mended ? ': mended' : ': another document has it now'
  return `${project}: the unique key ${key} of ${kind} ${id} ${what}${end}`
}

/** The result of a repair as text. */
export function repairLine({project, documents, lost, undone, keptIn}: Repair): string {
  const missing = lost.filter(({byte}) => byte === undefined).map(({file}) => file)
  const places = lost.length - missing.length
  const facts = [
    `repaired ${project}: ${documents} documents`,
    ...(missing.length > 0 ? [`${missing.join(', ')} missing`] : []),
    `${places} places lost`,
    ...(keptIn === undefined ? [] : [`what was found is in ${keptIn}`]),
  ]
  if (undone.length === 0) return facts.join('; ')
  const commits = undone.map(({from, to}) =>
    to === undefined ? `${from} and later` : from === to ? `${from}` : `${from} to ${to}`,
  )
  return `${facts.join('; ')}\n  Commits ${commits.join(', ')} may be undone: look again at deletions, revoked tokens and changed passwords of that time.`
}

/** Throws StateCorrupt (exit code 13) if a finding is damage. */
export function checkUndamaged({findings}: Diagnosis, dataDir: string): void {
  const damage = findings.filter(({severity}) => severity === 'damage')
  if (damage.length === 0) return
  throw new Failure(
    'localState',
    'StateCorrupt',
    `The state in ${dataDir} is damaged in ${damage.length === 1 ? '1 place' : `${damage.length} places`}.`,
    {
      hints: ['Restore a snapshot, or run `frontdesk server doctor --repair` to keep what can be read.'],
      details: damage,
    },
  )
}

/** Throws StateCorrupt (exit code 13) for unique keys of a database that do not agree with documents, and were not mended. */
export function checkAgreement({disagreements}: Pick<Examination, 'disagreements'>): void {
  const open = disagreements.filter(({mended}) => mended !== true)
  if (open.length === 0) return
  const count = open.length === 1 ? 'A unique key does' : `${open.length} unique keys do`
  throw new Failure('localState', 'StateCorrupt', `${count} not agree with the documents.`, {
    hints: [...open.slice(0, 10).map(disagreementLine), 'Add --repair to mend them.'],
    details: open,
  })
}
