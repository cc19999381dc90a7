import {WholeServerCommand} from '../../../src/cli/server/server-command.js'
import {snapshotView} from '../../../src/cli/server/views.js'
import {listSnapshots} from '../../../src/client/local/maintenance.js'

export default class ServerSnapshotList extends WholeServerCommand<typeof ServerSnapshotList> {
  static override summary = 'List the snapshots of the local state'
  static override description = 'Oldest first.'
  static override examples = ['<%= config.bin %> server snapshot list']

  async run(): Promise<void> {
    const results = await listSnapshots(this.local.dataDir)
    await this.output.page({count: results.length, results}, snapshotView)
  }
}
