// What a test suite of an adopter does with the installed library, as an ES module.
import {ApiError, startServer} from 'frontdesk'

const server = await startServer({projectKey: 'shop', dataDir: ':memory:'})
const origin = new URL(server.apiUrl).origin
const statuses = await Promise.all(['/health', '/openapi.json'].map(async (path) => (await fetch(origin + path)).status))
await server.stop()
if (statuses.some((status) => status !== 200)) throw new Error(`The server answered ${statuses}.`)
if (typeof ApiError !== 'function') throw new Error('ApiError is not exported.')
