import {Flags} from '@oclif/core'
import {ServerCommand} from '../../src/cli/server/server-command.js'

const engines = ['postgres', 'partitioned', 'citus', 'yugabyte', 'cockroach'] as const

export default class ServerStoreSchema extends ServerCommand<typeof ServerStoreSchema> {
  static override shows = 'installation' as const
  static override summary = 'Print the SQL statements that create the tables of a database'
  static override description =
    'For a database administrator. On plain PostgreSQL a server creates its tables itself; existing tables are checked ' +
    'and not changed. `partitioned` is PostgreSQL with every table partitioned by hash. Only `postgres` and ' +
    '`partitioned` were tested; docs/scale.md says what that means for the others.'
  static override examples = [
    '<%= config.bin %> server store-schema --engine partitioned | psql postgres://owner@db.example/frontdesk',
  ]
  static override flags = {
    engine: Flags.option({
      options: engines,
      default: 'postgres' as const,
      summary: 'The kind of database.',
    })(),
  }

  async run(): Promise<void> {
    const {storeStatements} = await import('../../src/index.js')
    const {engine} = this.flags
    const statements = storeStatements(engine)
    await this.output.answer({engine, statements}, statements.map((statement) => `${statement};`).join('\n'))
  }
}
