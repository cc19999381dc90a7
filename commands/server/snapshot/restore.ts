import {requiredArg, writeFlags} from '../../../src/cli/input/flags.js'
import {WholeServerCommand} from '../../../src/cli/server/server-command.js'
import {restoreSnapshot} from '../../../src/client/local/maintenance.js'

export default class ServerSnapshotRestore extends WholeServerCommand<typeof ServerSnapshotRestore> {
  static override summary = 'Replace the local state by a snapshot'
  static override description = 'Saves the present state as another snapshot first. Stop the server first.'
  static override examples = ['<%= config.bin %> server snapshot restore before-import --yes']
  static override args = {name: requiredArg('name of the snapshot')}
  static override flags = writeFlags

  async run(): Promise<void> {
    const {dataDir} = this.local
    const {name} = this.args
    const kept = await this.effect({
      settle: 'by itself',
      plan: () => [{name}, `would put ${name} in the place of the state in ${dataDir}`],
      confirm: () => this.ask.confirm(`Put the snapshot ${name} in the place of the state in ${dataDir}?`),
      target: name,
      actions: ['restore'],
      request: () => restoreSnapshot(dataDir, name, new Date(this.io.clock())),
    })
    if (kept)
      await this.output.answer({restored: name, kept}, `restored ${name}; what was there is kept as ${kept.name}`)
  }
}
