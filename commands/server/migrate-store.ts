import {resolve} from 'node:path'
import {Flags} from '@oclif/core'
import type {Use} from '../../src/cli/command/idle-flags.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {checkedStoreLocation} from '../../src/cli/server/flags.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import type {ResolvedTarget} from '../../src/cli/target/target.js'
import {migrateState} from '../../src/client/local/maintenance.js'

export default class ServerMigrateStore extends ServerCommand<typeof ServerMigrateStore> {
  static override uses: readonly Use[] = ['profile', 'state']
  static override summary = 'Move the state between a folder and PostgreSQL'
  static override description =
    'Copies all projects to an empty folder or database, then compares counts and checksums. The source is not changed. Stop the servers of both first. After an interruption, run it again: it continues where it stopped. The password of the database is read from PGPASSWORD.'
  static override examples = [
    '<%= config.bin %> server migrate-store --from ~/.local/share/frontdesk --to postgres://frontdesk@localhost/shop',
    '<%= config.bin %> server migrate-store --from postgres://frontdesk@localhost/shop --to ./state',
  ]
  static override flags = {
    from: Flags.string({helpValue: 'DIR|URL', required: true, summary: 'Folder or database that holds the state.'}),
    to: Flags.string({helpValue: 'DIR|URL', required: true, summary: 'Folder or database that will hold it.'}),
    ...writeFlags,
  }

  /** The folder that is written, so that its profiles are obeyed. */
  override get resolved(): ResolvedTarget {
    const resolved = super.resolved
    const to = checkedStoreLocation('to', this.flags.to)
    if (resolved.target.kind !== 'embedded' || /^postgres(ql)?:/.test(to)) return resolved
    return {...resolved, target: {...resolved.target, dataDir: resolve(to)}}
  }

  async run(): Promise<void> {
    const from = checkedStoreLocation('from', this.flags.from)
    const to = checkedStoreLocation('to', this.flags.to)
    let nextAt = 0
    const migrated = await this.effect({
      settle: 'by itself',
      plan: () => [{from, to}, `would move the state of ${from} to ${to}`],
      target: to,
      actions: ['migrate'],
      request: () =>
        migrateState({
          from,
          to,
          onProgress: ({step, project, documents}) => {
            if (Date.now() < nextAt) return
            nextAt = Date.now() + 1000
            this.say(`${step === 'copy' ? 'copied' : 'compared'} ${documents} documents of '${project}'`)
          },
        }),
    })
    if (!migrated) return
    const {projects, resumed} = migrated
    const lines = Object.entries(projects).map(([name, {documents}]) => `${name}: ${documents} documents`)
    await this.output.answer(
      {migrated: true, resumed, from, to, projects},
      [...lines, `moved to ${to}, and compared; ${from} is unchanged`].join('\n'),
    )
  }
}
