import {connect} from '../../src/client/connect.js'
import {importCustomers} from '../../src/transfer/import.js'
import {openSources} from '../../src/transfer/input/source.js'

/** An import in a process of its own, to be killed: writes a dot for each sign of life, then the result as JSON. */

interface Task {
  readonly file: string
  readonly jobsDir: string
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

const {file, jobsDir, apiUrl, clientId, clientSecret} = JSON.parse(process.env['IMPORT_TASK'] ?? '{}') as Task
const credentials = {kind: 'client', clientId, secret: async () => clientSecret} as const
const client = await connect({kind: 'remote', projectKey: 'shop', apiUrl, authUrl: apiUrl, credentials}, {retries: 0})
const {list} = await openSources([file])
const result = await importCustomers(client, list, {
  jobsDir,
  target: 'test',
  resume: true,
  concurrency: 4,
  onEvent: ({type}) => {
    if (type === 'checking' || type === 'started' || type === 'finished-row') process.stdout.write('.')
  },
})
process.stdout.write(`\n${JSON.stringify(result)}\n`)
await client.close()
