import {switchFlag} from '../../src/cli/input/flags.js'
import {openWindow} from '../../src/cli/server/open.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerOpen extends ServerCommand<typeof ServerOpen> {
  static override summary = 'Look into the running server with a browser'
  static override description =
    `Opens a page of this machine's server: requests as they come and why they were refused, customers, the outbox of reset and
verification tokens, clock, faults and what is stored. One browser tab can use the link, once, within ten minutes, and for
twelve hours. In a pipe, in CI or without a display the command only prints it.`
  static override examples = ['<%= config.bin %> server open', '<%= config.bin %> server open --print']
  static override flags = {print: switchFlag('Only print the link.')}

  async run(): Promise<void> {
    const {local, io} = this
    await this.effect({
      at: 'machine',
      plan: () => [{dataDir: local.dataDir}, `would open a window into the server of ${local.dataDir}`],
      act: async () => {
        const url = await openWindow(local, io, this.flags.print)
        await this.output.answer({url}, url)
      },
    })
  }
}
