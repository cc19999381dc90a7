import {Flags} from '@oclif/core'
import {textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {
  checkAgreement,
  checkUndamaged,
  diagnoseLocal,
  diagnosisLines,
  disagreementLine,
  examineTables,
  repairLine,
  repairLocal,
} from '../../src/cli/server/maintenance.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {storeUrlOf} from '../../src/cli/server/store-url.js'

export default class ServerDoctor extends ServerCommand<typeof ServerDoctor> {
  static override shows = 'installation' as const
  static override summary = 'Check the whole local state for damage'
  static override description =
    'Reads every byte. Ends with code 13 if the state is damaged. --repair rebuilds it from what can be read, and keeps the damaged files. With --store-url it compares the unique keys of a database with its documents while servers run; --repair corrects them.'
  static override examples = [
    '<%= config.bin %> server doctor',
    '<%= config.bin %> server doctor --repair --yes',
    '<%= config.bin %> server doctor --store-url postgres://clerk@db.example/frontdesk',
  ]
  static override flags = {
    repair: Flags.boolean({summary: 'Rebuild a damaged state; acknowledged changes may be missing afterwards.'}),
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
    if (this.flags.repair && !this.isDry) {
      const repaired = await this.effect({
        settle: 'by itself',
        plan: () => [{dataDir}, `would repair the state in ${dataDir}`],
        confirm: () =>
          this.ask.confirm(`Repair the state in ${dataDir}? Acknowledged changes may be missing afterwards.`),
        actions: ['repair'],
        request: () => repairLocal(dataDir, new Date(this.io.clock())),
      })
      if (!repaired) return
      const lines = repaired.map(repairLine)
      await this.output.answer({repaired}, lines.length === 0 ? 'there was nothing to repair' : lines.join('\n'))
      return
    }
    const diagnosis = await diagnoseLocal(dataDir)
    checkUndamaged(diagnosis, dataDir)
    await this.output.answer(diagnosis, diagnosisLines(diagnosis))
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
    const lines = projects.map(({name, documents}) => `${name}: ${documents} documents`)
    const found = disagreements.length === 0 ? ['nothing is wrong'] : disagreements.map(disagreementLine)
    await this.output.answer(examination, [...lines, ...found].join('\n'))
  }
}
