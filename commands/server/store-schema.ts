import type {Use} from '../../src/cli/command/idle-flags.js'
import {choiceFlag, defaultFlag} from '../../src/cli/input/flags.js'
import {usage} from '../../src/cli/process/failure.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {defined} from '../../src/domain/equal.js'

const engines = ['postgres', 'partitioned', 'citus'] as const

export default class ServerStoreSchema extends ServerCommand<typeof ServerStoreSchema> {
  static override uses: readonly Use[] = ['profile']
  static override summary = 'Print the SQL statements that create the tables of a database'
  static override description =
    'For a database administrator. On plain PostgreSQL a server creates missing tables itself and checks existing ones. `partitioned` partitions every table by hash. `citus` distributes the tables over nodes by project, so that a commit needs one node; `--by id` distributes them by the keys of rows, for one project larger than a node. The settings after the statements are required too.'
  static override examples = [
    '<%= config.bin %> server store-schema --engine partitioned | psql postgres://owner@db.example/frontdesk',
  ]
  static override flags = {
    engine: defaultFlag(engines, 'postgres', 'The kind of database.'),
    by: choiceFlag(['project', 'id'], 'With --engine citus: how rows are distributed; by project if absent.'),
  }

  async run(): Promise<void> {
    const {storeStatements} = await import('../../src/index.js')
    const {engine, by} = this.flags
    if (by && engine !== 'citus') throw usage('--by goes with --engine citus.', 'Leave it out.')
    const {statements, settings} = storeStatements(by === 'id' ? 'citus-by-id' : engine)
    const text = [...statements.map((statement) => `${statement};`), ...settings].join('\n')
    await this.output.answer({engine, ...defined({by}), statements, settings}, text)
  }
}
