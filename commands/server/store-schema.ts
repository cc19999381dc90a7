import {Flags} from '@oclif/core'
import {ServerCommand} from '../../src/cli/server/server-command.js'

const engines = ['postgres', 'partitioned', 'citus', 'yugabyte', 'cockroach'] as const

export default class ServerStoreSchema extends ServerCommand<typeof ServerStoreSchema> {
  static override shows = 'installation' as const
  static override summary = 'Print the statements that make the tables of a database'
  static override description =
    'For an administrator to apply. A server makes its tables by itself on plain PostgreSQL; tables that it finds, it ' +
    'checks and leaves as they are. `partitioned` is PostgreSQL with every table divided by hash. Only `postgres` and ' +
    '`partitioned` were run; docs/scale.md says what follows for the others.'
  static override examples = [
    '<%= config.bin %> server store-schema --engine partitioned | psql postgres://owner@db.example/frontdesk',
  ]
  static override flags = {
    engine: Flags.option({
      options: engines,
      default: 'postgres' as const,
      summary: 'What the database is',
    })(),
  }

  async run(): Promise<void> {
    const {storeStatements} = await import('../../src/index.js')
    const {engine} = this.flags
    const statements = storeStatements(engine)
    await this.output.answer({engine, statements}, statements.map((statement) => `${statement};`).join('\n'))
  }
}
