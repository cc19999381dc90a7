import {requiredArg, writeFlags} from '../../../src/cli/input/flags.js'
import {WholeServerCommand} from '../../../src/cli/server/server-command.js'
import {saveSnapshot} from '../../../src/client/local/maintenance.js'

export default class ServerSnapshotSave extends WholeServerCommand<typeof ServerSnapshotSave> {
  static override summary = 'Save a snapshot of the local state of all projects'
  static override description = 'The server may keep running.'
  static override examples = ['<%= config.bin %> server snapshot save before-import']
  static override args = {name: requiredArg('letters, digits and . _ -')}
  static override flags = writeFlags

  async run(): Promise<void> {
    const {dataDir} = this.local
    const {name} = this.args
    const snapshot = await this.effect({
      settle: 'by itself',
      plan: () => [{name}, `would keep the state in ${dataDir} as ${name}`],
      target: name,
      actions: ['snapshot'],
      request: () => saveSnapshot(dataDir, name, new Date(this.io.clock())),
    })
    if (snapshot) await this.output.answer(snapshot, `kept ${snapshot.projects.join(', ')} as ${name}`)
  }
}
