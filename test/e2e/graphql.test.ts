import {expect} from 'chai'
import {basic, formType, send} from '../security/shop/wire.js'
import {openSandbox, type Sandbox} from './binary.js'

describe('e2e · GraphQL of the built command', () => {
  let sandbox: Sandbox
  before(() => {
    sandbox = openSandbox()
  })
  after(() => sandbox.remove())

  it('answers queries and mutations, with values of every scalar in their text', async () => {
    const {child, apiUrl, exited} = await sandbox.serve(['--project-key', 'demo', '--seed', 'demo'])
    const authorization = basic('demo-admin-0000000000001', 'demo-only-secret-of-admin')
    const form = {method: 'POST', path: '/oauth/token', body: 'grant_type=client_credentials'}
    const {body} = await send(apiUrl, {...form, headers: {authorization, 'content-type': formType}})
    const headers = {authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json'}
    const asked = async (query: string) =>
      (await send(apiUrl, {method: 'POST', path: '/demo/graphql', headers, body: JSON.stringify({query})})).body
    const draft = 'email: "built@example.com", password: "right horse", locale: "de", dateOfBirth: "1980-01-31"'
    const made = await asked(
      `mutation {customerSignUp(draft: {${draft}, addresses: [{country: "DE"}]}) {customer {id version locale}}}`,
    )
    expect(made.errors).to.equal(undefined)
    const {id, version} = made.data.customerSignUp.customer
    const change = `updateCustomer(id: "${id}", version: ${version}, actions: [{setFirstName: {firstName: "Ada"}}])`
    expect(await asked(`mutation {${change} {firstName}}`)).to.deep.equal({data: {updateCustomer: {firstName: 'Ada'}}})
    const read = await asked(
      `{customers(where: "id = \\"${id}\\"") {results {firstName dateOfBirth addresses {country}}}}`,
    )
    const ada = {firstName: 'Ada', dateOfBirth: '1980-01-31', addresses: [{country: 'DE'}]}
    expect(read).to.deep.equal({data: {customers: {results: [ada]}}})
    const signIn = new URLSearchParams({grant_type: 'password', username: 'built@example.com', password: 'right horse'})
    const path = '/oauth/demo/customers/token'
    const own = {method: 'POST', path, body: String(signIn), headers: {authorization, 'content-type': formType}}
    headers.authorization = `Bearer ${(await send(apiUrl, own)).body.access_token}`
    const mine = {quotes: {total: 0, results: []}, activeCart: null}
    expect(await asked('{me {quotes {total results {quoteState}} activeCart {id}}}')).to.deep.equal({data: {me: mine}})
    child.kill('SIGTERM')
    expect((await exited).code).to.equal(143)
  })
})
