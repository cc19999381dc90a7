import {textFlag, writeFlags} from '../../src/cli/input/flags.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {administer} from '../../src/client/local/admin.js'
import {resetLocal} from '../../src/client/local/local-server.js'
import {defined} from '../../src/domain/equal.js'
import {seedFolder} from '../../src/files/shipped.js'

export default class ServerReset extends ServerCommand<typeof ServerReset> {
  static override summary = 'Remove the local state of all projects, or empty one'
  static override description =
    'Without --project-key it removes all projects, and fails while a server or a command uses the state. With --project-key it empties that project, also at the running server; its first client stays. The audit log is kept.'
  static override examples = [
    '<%= config.bin %> server reset --yes',
    '<%= config.bin %> server reset --project-key local --seed demo --yes',
  ]
  static override flags = {
    seed: textFlag('demo|DIR', 'Seed pack for the emptied project; demo is built in.', {dependsOn: ['project-key']}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const {dataDir} = this.local
    const projectKey = this.flags['project-key']
    const what = projectKey === undefined ? 'the state of all projects' : `everything in the project '${projectKey}'`
    const {seed} = this.flags
    const projects = await this.effect({
      settle: 'by itself',
      plan: () => [{dataDir}, `would remove ${what} in ${dataDir}`],
      confirm: () => this.ask.confirm(`Remove ${what} in ${dataDir}?`),
      actions: ['reset'],
      request: async () => {
        if (projectKey === undefined) return resetLocal(dataDir)
        const body = {projectKey, ...defined({seedDir: seed && seedFolder(seed)})}
        await administer(dataDir, 'resetProject', {body, isRepeatable: true})
        return [projectKey]
      },
    })
    if (!projects) return
    await this.output.answer(
      {reset: projects, dataDir},
      projects.length === 0 ? 'there was no state' : `removed ${what}: ${projects.join(', ')}`,
    )
  }
}
