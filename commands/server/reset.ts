import {writeFlags} from '../../src/cli/input/flags.js'
import {resetLocal} from '../../src/cli/server/access.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerReset extends ServerCommand<typeof ServerReset> {
  static override shows = 'installation' as const
  static override summary = 'Remove the local state of all projects'
  static override description = 'Fails while a server or a command uses the state. The audit log is kept.'
  static override examples = ['<%= config.bin %> server reset --yes']
  static override flags = writeFlags

  async run(): Promise<void> {
    const {dataDir} = this.local
    const projects = await this.effect({
      settle: 'by itself',
      plan: () => [{dataDir}, `would remove the state in ${dataDir}`],
      confirm: () => this.ask.confirm(`Remove the state of all projects in ${dataDir}?`),
      actions: ['reset'],
      request: () => resetLocal(dataDir),
    })
    if (!projects) return
    await this.output.answer(
      {reset: projects, dataDir},
      projects.length === 0 ? 'there was no state' : `removed ${projects.join(', ')}`,
    )
  }
}
