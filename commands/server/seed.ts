import {Args} from '@oclif/core'
import {seedLocal} from '../../src/cli/server/access.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'

export default class ServerSeed extends ServerCommand<typeof ServerSeed> {
  static override summary = 'Add a project from a seed pack'
  static override description =
    'A pack is a folder of collections as JSON lists. A project that exists stays as it is, with a note; without a folder an empty project is made.'
  static override examples = ['<%= config.bin %> server seed fixtures/demo --project-key demo']
  static override args = {folder: Args.string({ignoreStdin: true, description: 'a seed pack'})}

  async run(): Promise<void> {
    const {dataDir, projectKey} = this.local
    const {folder} = this.args
    if (this.dryRun) {
      await this.output.answer({dryRun: true, projectKey, folder}, `would seed '${projectKey}' in ${dataDir}`)
      return
    }
    const {seeded, counts} = await seedLocal(dataDir, projectKey, folder)
    const total = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
    const skipped =
      folder === undefined ? `project '${projectKey}' is there` : `project '${projectKey}' exists; the seed was skipped`
    await this.output.answer(
      {projectKey, seeded, counts},
      seeded ? `seeded '${projectKey}': ${total.join(', ')}` : skipped,
    )
  }
}
