import {Flags} from '@oclif/core'
import {writeFlags} from '../../src/cli/command/flags.js'
import {
  checkUndamaged,
  diagnoseLocal,
  diagnosisLines,
  repairLine,
  repairLocal,
} from '../../src/cli/server/maintenance.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerDoctor extends ServerCommand<typeof ServerDoctor> {
  static override shows = 'installation' as const
  static override summary = 'Check the whole local state for damage'
  static override description =
    'Reads every byte. Ends with code 13 if the state is damaged. --repair rebuilds it from what can be read, and keeps the damaged files.'
  static override examples = ['<%= config.bin %> server doctor', '<%= config.bin %> server doctor --repair --yes']
  static override flags = {
    repair: Flags.boolean({summary: 'Rebuild a damaged state; acknowledged changes may be missing afterwards.'}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {dataDir} = this.local
    if (this.flags.repair && !this.isDry) {
      const repaired = await this.maintenance({
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
}
