// The same for those who require it.
const {startServer} = require('frontdesk')

async function run() {
  const server = await startServer({projectKey: 'shop', dataDir: ':memory:'})
  const {status} = await fetch(`${new URL(server.apiUrl).origin}/health`)
  await server.stop()
  if (status !== 200) throw new Error(`The server answered ${status}.`)
  const {ApiError} = await import('frontdesk')
  if (ApiError !== require('frontdesk').ApiError) throw new Error('There are two libraries.')
}

run().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
