import {writeFlags} from '../../src/cli/input/flags.js'
import {WholeServerCommand} from '../../src/cli/server/server-command.js'
import {administer} from '../../src/client/local/admin.js'

export default class ServerCompact extends WholeServerCommand<typeof ServerCompact> {
  static override summary = 'Compact the files of the local state'
  static override description = 'Rewrites them without replaced and removed data. A running server does this by itself.'
  static override examples = ['<%= config.bin %> server compact']
  static override flags = writeFlags

  async run(): Promise<void> {
    const {dataDir} = this.local
    const done = await this.effect({
      settle: 'by itself',
      plan: () => [{dataDir}, `would write the state in ${dataDir} anew`],
      actions: ['compact'],
      request: async () => {
        await administer(dataDir, 'compactState')
        return true
      },
    })
    if (done) await this.output.answer({compacted: true, dataDir}, `compacted the state in ${dataDir}`)
  }
}
