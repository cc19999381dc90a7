import {expect} from 'chai'
import {accepted, endpoints, isRevocation, refusedAsInvalid} from '../shop/endpoints.js'
import {emptyOk, invalidClient, invalidRequest, stdErr, stdOk} from '../shop/expectations.js'
import {openShop, type Shop} from '../shop/shop.js'
import {basic, formOf, formType, send} from '../shop/wire.js'

describe('security · A forms of all endpoints', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  beforeEach(() => {
    shop.clock.now += 120_000
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const auth = () => ({authorization: basic(shop.clients.ADM.id, shop.clients.ADM.secret)})

  for (const endpoint of endpoints) {
    const {path} = endpoint
    const form = async (members: Readonly<Record<string, string | undefined>> = {}) => ({
      ...(await endpoint.form(shop)),
      ...members,
    })
    const parameter = /introspect|revoke/.test(path) ? 'token' : 'scope'
    const post = (body: string, headers: Readonly<Record<string, string>>) =>
      send(shop.origin, {method: 'POST', path, headers: {...auth(), ...headers}, body})

    it(`A03 refuses a body without a content type at ${path}`, async () => {
      refusedAsInvalid(endpoint, await post(formOf(await form()), {}))
    })

    it(`A04 refuses JSON and names the wanted type at ${path}`, async () => {
      const answer = await post(JSON.stringify(await form()), {'content-type': 'application/json'})
      refusedAsInvalid(endpoint, answer)
      if (!isRevocation(endpoint)) expect(answer.body.message).to.include(formType)
    })

    it(`A05 refuses other content types without echoing them at ${path}`, async () => {
      for (const type of ['text', 'invalid/@@##', 'text/[html]', '', '</><script>']) {
        const answer = await post(formOf(await form()), {'content-type': type})
        refusedAsInvalid(endpoint, answer)
        if (type !== '') expect(answer.text).to.not.include(type)
      }
    })

    it(`A06 accepts the content type with a charset and in any case at ${path}`, async () => {
      for (const type of [
        `${formType}; charset=UTF-8`,
        'Application/X-WWW-Form-URLEncoded',
        `${formType};charset="utf-8"`,
      ]) {
        accepted(endpoint, await post(formOf(await form()), {'content-type': type}))
      }
    })

    it(`A07 refuses other charsets at ${path}`, async () => {
      for (const charset of ['ISO-8859-1', 'utf-16', 'utf-8; charset=utf-16']) {
        refusedAsInvalid(
          endpoint,
          await post(formOf(await form()), {'content-type': `${formType}; charset=${charset}`}),
        )
      }
    })

    it(`A08 refuses OAuth parameters in the query string and does not log them at ${path} (decision 25)`, async () => {
      const given = await form({username: 'canary@example.com', token: await shop.token('ADM')})
      const query = formOf(given)
      for (const body of ['', formOf(given)]) {
        const answer = await shop.post(`${path}?${query}`, body)
        refusedAsInvalid(endpoint, answer)
      }
      expect(await shop.isActive(given['token'] ?? '')).to.equal(true)
      expect(JSON.stringify(shop.log)).to.not.include('canary')
      expect(JSON.stringify(shop.log)).to.not.include(given['token'])
    })

    it(`A08 takes nothing but grant_type and scope from the query at ${path}`, async () => {
      const {grant_type, ...rest} = await form()
      if (grant_type === undefined) return
      const query = formOf({grant_type, scope: 'manage_project:shop'})
      const accepted = await shop.post(`${path}?${query}`, formOf(rest))
      expect(stdOk(accepted).scope.split(' ')).to.include('manage_project:shop')
      if (Object.keys(rest).length === 0) {
        const headers = {authorization: basic(shop.clients.ADM.id, shop.clients.ADM.secret)}
        const bare = {method: 'POST', path: `${path}?${query}`, headers}
        stdOk(await send(shop.origin, bare))
        const typed = {...bare, headers: {...headers, 'content-type': 'text/plain'}}
        refusedAsInvalid(endpoint, await send(shop.origin, typed))
      }
      for (const more of [formOf({grant_type: 'x'}), formOf({scope: 'x'})]) {
        refusedAsInvalid(endpoint, await shop.post(`${path}?${query}&${more}`, formOf(rest)))
        refusedAsInvalid(endpoint, await shop.post(`${path}?${query}`, `${formOf(rest)}&${more}`))
      }
      for (const name of Object.keys(rest)) {
        const misplaced = formOf({[name]: rest[name]})
        refusedAsInvalid(endpoint, await shop.post(`${path}?${query}&${misplaced}`, formOf(rest)))
      }
    })

    it(`A09 refuses a known parameter with two values, and takes one that is repeated with its value at ${path}`, async () => {
      const given = await form()
      for (const name of Object.keys(given)) {
        refusedAsInvalid(endpoint, await shop.post(path, `${formOf(given)}&${formOf({[name]: 'other'})}`))
      }
      accepted(endpoint, await shop.post(path, `${formOf(given)}&${formOf(given)}`))
      const {grant_type} = given
      if (grant_type === undefined) return
      const query = formOf({grant_type})
      accepted(endpoint, await shop.post(`${path}?${query}&${query}`, formOf(await form())))
    })

    it(`A10 ignores unknown parameters, also twice at ${path}`, async () => {
      accepted(endpoint, await shop.post(path, `${formOf(await form())}&foo=1&foo=2&bar&=x&__proto__=y`))
    })

    it(`A11 takes an empty parameter for an absent one at ${path}`, async () => {
      accepted(endpoint, await shop.post(path, await form({scope: ''})))
      if (endpoint.required === undefined) return
      const answer = await shop.post(path, await form({[endpoint.required]: ''}))
      expect(invalidRequest(answer).message).to.equal(`Missing required parameter: ${endpoint.required}.`)
    })

    it(`A13 answers unknown paths and refused clients in the same shape at ${path}`, async () => {
      stdErr(await shop.post(`${path}x`, await form()), 404, 'ResourceNotFound')
      invalidClient(await shop.post(path, await form(), null))
    })

    it(`A14 reflects no value raw at ${path}`, async () => {
      for (const value of ['quo"te', 'back\\slash', 'line\r\nbreak: 1', 'smile 😀', 'tab\tbed']) {
        for (const name of ['grant_type', 'scope', 'token', 'username', 'anonymous_id']) {
          const {headers, text} = await shop.post(path, await form({[name]: value}))
          if (text !== '' && JSON.parse(text).error !== undefined) {
            expect(JSON.parse(text).error_description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
          }
          for (const header of headers.values()) expect(header).to.not.include(value)
        }
      }
    })

    it(`A15 refuses what is no encoding of UTF-8 text at ${path}`, async () => {
      for (const value of ['%zz', '%', '%C0%AF', '%FF', '%00']) {
        refusedAsInvalid(
          endpoint,
          await shop.post(path, `${formOf(await form({[parameter]: undefined}))}&${parameter}=${value}`),
        )
      }
      const bytes = Buffer.concat([Buffer.from(`${formOf(await form())}&x=`), Buffer.from([0xff, 0xfe])])
      const answer = await send(shop.origin, {
        method: 'POST',
        path,
        headers: {...auth(), 'content-type': formType},
        body: bytes,
      })
      refusedAsInvalid(endpoint, answer)
    })

    it(`A18 names the first missing parameter of an empty body at ${path}`, async () => {
      const answer = await shop.post(path, '')
      if (endpoint.required === undefined) emptyOk(answer)
      else expect(invalidRequest(answer).message).to.equal(`Missing required parameter: ${endpoint.required}.`)
    })
  }

  it('A17 reads + as a blank and %2B as a plus', async () => {
    await shop.api('POST', '/shop/customers', await shop.token('ADM'), {email: 'a+b@x.io', password: 'pass +word'})
    const path = '/oauth/shop/customers/token'
    stdOk(await shop.post(path, 'grant_type=password&username=a%2Bb@x.io&password=pass+%2Bword'))
    stdErr(
      await shop.post(path, 'grant_type=password&username=a%2Bb@x.io&password=pass%2B%2Bword'),
      400,
      'invalid_customer_account_credentials',
    )
  })
})
