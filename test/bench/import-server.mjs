// A server in a process of its own, for the import benchmark: `nothing`, or the state's folder and perhaps a database.
import {createServer} from 'node:http'
import {startServer} from '../../dist/lib/index.mjs'

const [dataDir = 'nothing', storeUrl] = process.argv.slice(2)

/**
 * Answers what an import asks without looking at it.
 * @returns {Promise<object>}
 */
function nothing() {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      if (request.url?.startsWith('/oauth/'))
        response.end('{"access_token":"t","token_type":"Bearer","expires_in":9999}')
      else if (request.method === 'GET') response.end('{"limit":500,"offset":0,"count":0,"results":[]}')
      else {
        count += 1
        response.statusCode = 201
        response.end(`{"customer":{"id":"c${count}","version":1,"addresses":[]}}`)
      }
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const {port} = /** @type {import('node:net').AddressInfo} */ (server.address())
      const apiUrl = `http://127.0.0.1:${port}`
      resolve({apiUrl, client: {clientId: 'a', clientSecret: 'b'}})
    })
  })
}

const server =
  dataDir === 'nothing'
    ? await nothing()
    : await startServer({dataDir, projectKey: 'bench', ...(storeUrl === undefined ? {} : {storeUrl})})
console.log(JSON.stringify(server))
