import {switchFlag, textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {Failure} from '../../src/cli/process/failure.js'
import {counted} from '../../src/cli/process/sanitize.js'
import {storeUrlOf} from '../../src/cli/server/flags.js'
import {WholeServerCommand} from '../../src/cli/server/server-command.js'
import {
  type Diagnosis,
  diagnoseLocal,
  type Examination,
  examineTables,
  type Repair,
  releaseLocal,
  repairLocal,
} from '../../src/client/local/maintenance.js'

export default class ServerDoctor extends WholeServerCommand<typeof ServerDoctor> {
  static override summary = 'Check the whole local state for damage'
  static override description =
    'Reads every byte. Ends with code 13 if the state is damaged. --repair rebuilds it from what can be read, keeps the damaged files, and ends with code 13 if damage is left. With --store-url it compares the unique keys of a database with its documents while servers run; --repair corrects them.'
  static override examples = [
    '<%= config.bin %> server doctor',
    '<%= config.bin %> server doctor --repair --yes',
    '<%= config.bin %> server doctor --store-url postgres://clerk@db.example/frontdesk',
  ]
  static override flags = {
    repair: switchFlag('Rebuild a damaged state; acknowledged changes may be missing afterwards.'),
    force: switchFlag(
      'First release the lock of a process in another container or on another machine. Make sure that it has ended.',
    ),
    ...writeFlags,
    'store-url': textFlag(
      'URL',
      'A PostgreSQL database in place of the folder; with a password, set FRONTDESK_STORE_URL instead.',
    ),
  }

  async run(): Promise<void> {
    const url = storeUrlOf(this.flags['store-url'], this.io.env)
    if (url !== undefined) return this.#examine(url)
    const {dataDir} = this.local
    if (this.flags.force) {
      if (!(await this.#released(dataDir))) return
      this.say(`released the lock of ${dataDir}`)
    }
    if (this.flags.repair && !this.isDry) {
      const done = await this.effect({
        settle: 'by itself',
        plan: () => [{dataDir}, `would repair the state in ${dataDir}`],
        confirm: () =>
          this.ask.confirm(`Repair the state in ${dataDir}? Acknowledged changes may be missing afterwards.`),
        actions: ['repair'],
        request: () => repairLocal(dataDir, new Date(this.io.clock())),
      })
      if (!done) return
      const left = (await diagnoseLocal(dataDir)).findings.filter(({severity}) => severity === 'damage')
      const mended = done.mended.map((one) => `${one.mended}: ${one.path}`)
      const lines = [...mended, ...done.repaired.map(repairLine), ...left.map(findingLine)]
      await this.output.answer({...done, left}, lines.join('\n') || 'there was nothing to repair')
      if (left.length > 0) this.endWith('localState')
      return
    }
    const diagnosis = await diagnoseLocal(dataDir)
    checkUndamaged(diagnosis, dataDir)
    await this.output.answer(diagnosis, foundText(dataDir, diagnosis.projects, diagnosis.findings.map(findingLine)))
  }

  #released(dataDir: string): Promise<true | undefined> {
    return this.effect({
      settle: 'by itself',
      plan: () => [{dataDir}, `would release the lock of ${dataDir}`],
      confirm: () => this.ask.confirm(`Release the lock of ${dataDir}? A process that still holds it ends.`),
      actions: ['release'],
      request: () => releaseLocal(dataDir),
    })
  }

  async #examine(url: string): Promise<void> {
    const examination = this.flags.repair
      ? await this.effect({
          settle: 'by itself',
          plan: async () => [await examineTables(url, false), 'would mend the unique keys of the database'],
          confirm: () => this.ask.confirm('Mend the unique keys of the database?'),
          actions: ['repair'],
          request: () => examineTables(url, true),
        })
      : await examineTables(url, false)
    if (!examination) return
    checkAgreement(examination)
    const {projects, disagreements} = examination
    await this.output.answer(examination, foundText('the database', projects, disagreements.map(disagreementLine)))
  }
}

function foundText(place: string, projects: Diagnosis['projects'], found: readonly string[]): string {
  if (projects.length + found.length === 0) return `there is no state in ${place}`
  const sizes = projects.map(({name, documents}) => `${name}: ${documents} documents`)
  return [...sizes, ...(found.length === 0 ? ['nothing is wrong'] : found)].join('\n')
}

const findingLine = ({severity, path, problem, remedy}: Diagnosis['findings'][number]): string =>
  `${severity}: ${path}: ${problem} ${remedy}`

/** The first ten, and how many more there are. */
const firstOf = (all: readonly string[]): readonly string[] =>
  all.length > 10 ? [...all.slice(0, 10), `${all.length - 10} more`] : all

function disagreementLine({project, kind, id, key, problem, mended}: Examination['disagreements'][number]): string {
  const what = problem === 'orphan' ? 'has no document that holds it' : 'is missing in the tables'
  const end = mended === undefined ? '' : mended ? ': mended' : ': another document has it now'
  return `${project}: the unique key ${key} of ${kind} ${id} ${what}${end}`
}

function repairLine({project, documents, lost, keptIn}: Repair): string {
  const missing = lost.filter(({byte}) => byte === undefined).map(({file}) => file)
  const facts = [
    `repaired ${project}: ${documents} documents`,
    ...(missing.length > 0 ? [`${missing.join(', ')} missing`] : []),
    `${counted(lost.length - missing.length, 'place')} lost`,
    ...(keptIn === undefined ? [] : [`what was found is in ${keptIn}`]),
  ]
  if (lost.length === 0) return facts.join('; ')
  return `${facts.join('; ')}\n  Some documents may be missing, outdated or back: check deletions, revoked tokens and changed passwords.`
}

/** Throws StateCorrupt (exit code 13) if a finding is damage. */
function checkUndamaged({findings, projects}: Diagnosis, dataDir: string): void {
  const damage = findings.filter(({severity}) => severity === 'damage')
  if (damage.length === 0) return
  const message = `The state in ${dataDir} is damaged in ${counted(damage.length, 'place')}.`
  const whole = `Whole: ${firstOf(projects.map(({name}) => name)).join(', ') || 'nothing'}.`
  throw new Failure('localState', 'StateCorrupt', message, {
    hints: [...firstOf(damage.map(({problem}) => problem)), whole, ...new Set(damage.map(({remedy}) => remedy))],
    details: damage,
  })
}

/** Throws StateCorrupt (exit code 13) for unique keys of a database that do not agree with documents, and were not mended. */
function checkAgreement({disagreements}: Pick<Examination, 'disagreements'>): void {
  const open = disagreements.filter(({mended}) => mended !== true)
  if (open.length === 0) return
  const count = open.length === 1 ? 'A unique key does' : `${open.length} unique keys do`
  throw new Failure('localState', 'StateCorrupt', `${count} not agree with the documents.`, {
    hints: [...firstOf(open.map(disagreementLine)), 'Add --repair to mend them.'],
    details: open,
  })
}
