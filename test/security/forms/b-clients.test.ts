import {expect} from 'chai'
import {accepted, endpoints, refusedAsInvalid} from '../shop/endpoints.js'
import {invalidClient, stdErr, stdOk} from '../shop/expectations.js'
import {type Client, openShop, type Shop} from '../shop/shop.js'
import {type Answer, basic, formOf, formType, send} from '../shop/wire.js'

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')

describe('security · B client authentication', () => {
  let shop: Shop
  /** Id and secret with characters that need the encoding of RFC 6749 appendix B. */
  const odd: Client = {id: 'a:b c', secret: ' %&+ä:x'}
  before(async () => {
    shop = await openShop()
    const secretDigest = shop.runtime.secrets.digest(odd.secret)
    await shop.addClient('manage_project:shop', {id: odd.id, secretDigest})
  })
  after(() => shop.close())
  beforeEach(() => {
    shop.clock.now += 120_000
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  for (const endpoint of endpoints) {
    const {path} = endpoint
    const as = async (authorization: string | null, members: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      shop.post(path, {...(await endpoint.form(shop)), ...members}, authorization)
    const adm = () => shop.clients.ADM
    const valid = () => basic(adm().id, adm().secret)

    it(`B01 asks for HTTP Basic without an Authorization header at ${path}`, async () => {
      expect(invalidClient(await as(null)).message).to.equal(
        'Please provide valid client credentials using HTTP Basic Authentication.',
      )
    })

    it(`B02 refuses a wrong secret at ${path}`, async () => {
      for (const secret of ['wrong', `${adm().secret}x`, adm().secret.slice(1), adm().secret.toUpperCase()]) {
        invalidClient(await as(basic(adm().id, secret)))
      }
    })

    it(`B03 answers for an unknown id with the bytes of a wrong secret at ${path}`, async () => {
      const wrong = await as(basic(adm().id, 'wrong'))
      const unknown = await as(basic('nobody', 'wrong'))
      invalidClient(unknown)
      expect(unknown.text).to.equal(wrong.text)
      expect([...unknown.headers.keys()]).to.deep.equal([...wrong.headers.keys()])
    })

    it(`B04 reads the scheme in any case at ${path}`, async () => {
      for (const scheme of ['basic', 'BASIC', 'bAsIc']) accepted(endpoint, await as(valid().replace('Basic', scheme)))
    })

    it(`B05 takes several blanks and no tab after the scheme at ${path}`, async () => {
      accepted(endpoint, await as(valid().replace(' ', '    ')))
      invalidClient(await as(valid().replace(' ', '\t')))
    })

    it(`B06 refuses a scheme alone and one part too many at ${path}`, async () => {
      for (const header of ['Basic', 'Basic  ', `${valid()} more`]) invalidClient(await as(header))
    })

    it(`B07 refuses what is not exactly base64 at ${path}`, async () => {
      const text = valid().slice('Basic '.length)
      const urlAlphabet = `Basic ${Buffer.from('?>?>:?>?>').toString('base64url')}`
      for (const header of [
        `Basic ${text}!`,
        `Basic ${text}=`,
        `Basic ${text.slice(0, 9)} ${text.slice(9)}`,
        urlAlphabet,
      ]) {
        invalidClient(await as(header))
      }
    })

    it(`B08 refuses credentials without a colon at ${path}`, async () => {
      invalidClient(await as(`Basic ${base64('no colon here')}`))
    })

    it(`B09 refuses an empty id and an empty secret at ${path}`, async () => {
      for (const text of [`:${adm().secret}`, `${adm().id}:`, ':']) invalidClient(await as(`Basic ${base64(text)}`))
    })

    it(`B10 splits at the first colon at ${path}`, async () => {
      const client = {id: `colon-${path}`, secret: 'a:b:c'}
      const secretDigest = shop.runtime.secrets.digest(client.secret)
      await shop.addClient('manage_project:shop', {id: client.id, secretDigest})
      accepted(endpoint, await as(basic(encodeURIComponent(client.id), client.secret)))
    })

    it(`B11 decodes a percent-encoded id and secret at ${path}`, async () => {
      accepted(endpoint, await as(basic(encodeURIComponent(odd.id), encodeURIComponent(odd.secret))))
      accepted(endpoint, await as(basic('a%3Ab+c', '+%25%26%2B%C3%A4%3Ax')))
    })

    it(`B12 refuses what cannot be decoded at ${path}`, async () => {
      for (const secret of ['%zz', '%', '%FF']) invalidClient(await as(basic(adm().id, secret)))
    })

    it(`B13 takes minted credentials raw and encoded alike at ${path}`, async () => {
      for (const part of Object.values(adm())) expect(part).to.match(/^[A-Za-z0-9_-]+$/)
      accepted(endpoint, await as(basic(adm().id, adm().secret)))
      accepted(endpoint, await as(basic(encodeURIComponent(adm().id), encodeURIComponent(adm().secret))))
    })

    it(`B14 refuses bytes that are not UTF-8 at ${path}`, async () => {
      invalidClient(await as(`Basic ${base64(Buffer.from([0xc3, 0x28, 0x3a, 0x61]))}`))
      invalidClient(
        await as(
          `Basic ${base64(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(`${adm().id}:${adm().secret}`)]))}`,
        ),
      )
    })

    it(`B15 refuses a bearer token with a Basic challenge at ${path}`, async () => {
      invalidClient(await as(`Bearer ${await shop.token('ADM')}`))
    })

    it(`B16 refuses credentials in the body alone at ${path}`, async () => {
      invalidClient(await as(null, {client_id: adm().id, client_secret: adm().secret}))
    })

    it(`B17 refuses a secret in header and body at ${path}`, async () => {
      refusedAsInvalid(endpoint, await as(valid(), {client_secret: adm().secret}))
    })

    it(`B18 takes an equal client_id beside the header and no other at ${path}`, async () => {
      accepted(endpoint, await as(valid(), {client_id: adm().id}))
      refusedAsInvalid(endpoint, await as(valid(), {client_id: shop.clients.RW.id}))
    })

    it(`B19 refuses two Authorization headers at ${path}`, async () => {
      const headers = [
        ['authorization', valid()],
        ['Authorization', valid()],
        ['content-type', formType],
      ] as const
      const body = formOf(await endpoint.form(shop))
      stdErr(await send(shop.origin, {method: 'POST', path, headers, body}), 400, 'invalid_request')
    })

    it(`B20 refuses a deleted client at once at ${path}`, async () => {
      const client = await shop.addClient('manage_project:shop')
      accepted(endpoint, await as(basic(client.id, client.secret)))
      const admin = await shop.token('ADM', 'manage_api_clients:shop')
      const {status} = await shop.api('DELETE', `/shop/api-clients/${client.id}`, admin)
      expect(status).to.equal(200)
      invalidClient(await as(basic(client.id, client.secret)))
    })

    it(`B21 refuses the old secret of a client that has a new one at ${path}`, async () => {
      const client = await shop.addClient('manage_project:shop')
      await shop.changeClient(client, {secretDigest: shop.runtime.secrets.digest('new-secret')})
      invalidClient(await as(basic(client.id, client.secret)))
      accepted(endpoint, await as(basic(client.id, 'new-secret')))
    })

    it(`B23 refuses for a while after 20 wrong secrets of one id, and nobody else at ${path}`, async () => {
      const client = await shop.addClient('manage_project:shop')
      for (const id of [client.id, `unknown${path}`]) {
        for (let attempt = 0; attempt < 20; attempt += 1) invalidClient(await as(basic(id, 'wrong')))
        const locked = await as(basic(id, client.secret))
        stdErr(locked, 429, 'TooManyRequests')
        expect(Number(locked.headers.get('retry-after'))).to.be.within(1, 60)
      }
      accepted(endpoint, await as(valid()))
      shop.clock.now += 60_001
      accepted(endpoint, await as(basic(client.id, client.secret)))
    })

    it(`B23 compares 20 of the wrong secrets that come together at ${path}`, async () => {
      const client = await shop.addClient('manage_project:shop')
      const {state} = shop.runtime
      const {get} = state
      let reads = 0
      let allRead: () => void = () => undefined
      const all = new Promise<void>((resolve) => {
        allRead = resolve
      })
      state.get = async (project, kind, id) => {
        if (id === client.id && ++reads === 60) allRead()
        if (id === client.id) await all
        return get.call(state, project, kind, id) as never
      }
      const answers = await Promise.all(Array.from({length: 60}, () => as(basic(client.id, 'wrong'))))
      state.get = get
      expect(answers.filter(({status}) => status !== 429)).to.have.length(20)
    })

    it(`B24 refuses a huge id or secret before it looks anything up at ${path}`, async () => {
      const large = 'x'.repeat(10_000)
      const form = formOf(await endpoint.form(shop))
      const {state} = shop.runtime
      const {get} = state
      const asked: string[] = []
      state.get = (project, kind, id) => {
        asked.push(kind)
        return get.call(state, project, kind, id) as never
      }
      const answers = [
        await shop.post(path, form, basic(large, 'a')),
        await shop.post(path, form, basic(adm().id, large)),
      ]
      state.get = get
      for (const answer of answers) invalidClient(answer)
      expect(asked).to.not.include('api-client')
    })

    it(`B25 knows no client assertions at ${path}`, async () => {
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      invalidClient(await as(null, {client_assertion_type: type, client_assertion: 'e30.e30.'}))
    })

    it(`B26 compares ids with their case at ${path}`, async () => {
      const client = await shop.addClient('manage_project:shop', {id: `CaseOf${path}`})
      invalidClient(await as(basic(encodeURIComponent(client.id.toLowerCase()), client.secret)))
    })

    it(`B27 does not look at Proxy-Authorization at ${path}`, async () => {
      const form = await endpoint.form(shop)
      invalidClient(await shop.post(path, form, null, {'proxy-authorization': valid()}))
    })

    it(`B22 refuses a client of another project, or keeps it to its own at ${path}`, async () => {
      const answer = await shop.post(path, await endpoint.form(shop), 'P2A')
      if (path.includes('/shop/')) invalidClient(answer)
      else if (path === '/oauth/token')
        expect(stdOk(answer).scope).to.equal('manage_project:shop2 manage_api_clients:shop2')
      else if (path === '/oauth/introspect') expect(stdOk(answer)).to.deep.equal({active: false})
      else accepted(endpoint, answer)
    })
  }
})
