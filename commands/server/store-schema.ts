import {Flags} from '@oclif/core'
import {usage} from '../../src/cli/process/failure.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {defined} from '../../src/domain/equal.js'

const engines = ['postgres', 'partitioned', 'citus'] as const

export default class ServerStoreSchema extends ServerCommand<typeof ServerStoreSchema> {
  static override shows = 'installation' as const
  static override summary = 'Print the SQL statements that create the tables of a database'
  static override description =
    'For a database administrator. On plain PostgreSQL a server creates its tables itself; existing tables are checked ' +
    'and not changed. `partitioned` is PostgreSQL with every table partitioned by hash. `citus` spreads the tables over ' +
    'nodes by project, so that a commit ends on one node; `--by id` spreads them by the keys of rows, for one project ' +
    'that is larger than a node. A server checks the settings that are printed behind the statements.'
  static override examples = [
    '<%= config.bin %> server store-schema --engine partitioned | psql postgres://owner@db.example/frontdesk',
  ]
  static override flags = {
    engine: Flags.option({
      options: engines,
      default: 'postgres' as const,
      summary: 'The kind of database.',
    })(),
    by: Flags.option({
      options: ['project', 'id'] as const,
      summary: 'With --engine citus: by what rows are spread; project unless told.',
    })(),
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
