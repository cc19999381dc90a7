import {startServer} from '../../../src/server/start.js'

/* A server in a process of its own, over the folder of its argument; it says in one line where it listens. */
const [dataDir = ''] = process.argv.slice(2)
const {apiUrl, client} = await startServer({dataDir, projectKey: 'shop', settings: {passwordCost: 4}})
process.stdout.write(`${JSON.stringify({apiUrl, ...client})}\n`)
