import {expect} from 'chai'
import {ApiError} from '../../../src/domain/errors.js'
import {REALM} from '../../../src/store/store.js'
import {emptyOk, invalidClient, stdErr, stdOk} from '../shop/expectations.js'
import {type ClientName, emails, openShop, passwords, type Shop} from '../shop/shop.js'
import {type Answer, formOf, formType} from '../shop/wire.js'

const path = '/oauth/token/revoke'

describe('security · H revocation', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  beforeEach(() => {
    shop.clock.now += 120_000
  })
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const revoke = (token: string, by: ClientName = 'ADM', token_type_hint?: string): Promise<Answer> =>
    shop.post(path, {token, token_type_hint}, by)
  const refresh = (refresh_token: string): Promise<Answer> =>
    shop.post('/oauth/token', {grant_type: 'refresh_token', refresh_token}, 'MY')
  const signIn = () => shop.session(emails.G, passwords.G)

  it('H01 revokes an own access token', async () => {
    const token = await shop.token('ADM')
    emptyOk(await revoke(token))
    expect(await shop.isActive(token)).to.equal(false)
    expect((await shop.api('GET', '/shop/customers', token)).status).to.equal(401)
  })

  const hints = [
    ['H02', 'the right', 'access_token', 'refresh_token'],
    ['H03', 'the wrong', 'refresh_token', 'access_token'],
    ['H04', 'an unknown', 'nonsense', 'nonsense'],
  ] as const
  for (const [number, what, accessHint, refreshHint] of hints) {
    it(`${number} revokes with ${what} hint`, async () => {
      const {access_token, refresh_token} = await signIn()
      emptyOk(await revoke(access_token, 'MY', accessHint))
      expect(await shop.isActive(access_token)).to.equal(false)
      emptyOk(await revoke(refresh_token, 'MY', refreshHint))
      stdErr(await refresh(refresh_token), 400, 'invalid_grant')
    })
  }

  it('H05 ends all access tokens of a grant with its refresh token (decision 29)', async () => {
    const {access_token, refresh_token} = await signIn()
    const second = stdOk(await refresh(refresh_token)).access_token
    emptyOk(await revoke(refresh_token, 'MY'))
    stdErr(await refresh(refresh_token), 400, 'invalid_grant')
    for (const token of [access_token, second]) expect(await shop.isActive(token)).to.equal(false)
  })

  it('H06 leaves the refresh token of a revoked access token (decision 29)', async () => {
    const {access_token, refresh_token} = await signIn()
    emptyOk(await revoke(access_token, 'MY'))
    stdOk(await refresh(refresh_token))
  })

  it('H07 answers 200 again', async () => {
    const token = await shop.token('ADM')
    for (let round = 0; round < 3; round += 1) emptyOk(await revoke(token))
  })

  it('H08 answers 200 for what never was a token', async () => {
    for (const token of ['x'.repeat(43), 'shop:abc', 'nonsense', '😀', '__proto__']) emptyOk(await revoke(token))
  })

  it('H09 answers 200 for an expired token', async () => {
    const token = await shop.token('ADM')
    shop.clock.now += 172_800_000
    emptyOk(await revoke(token))
  })

  it('H10 leaves the token of another client active', async () => {
    const token = await shop.token('RW')
    for (const by of ['ADM', 'INT', 'P2A'] as const) emptyOk(await revoke(token, by))
    expect(await shop.isActive(token)).to.equal(true)
    const {refresh_token} = await signIn()
    emptyOk(await revoke(refresh_token, 'ADM'))
    stdOk(await refresh(refresh_token))
  })

  it('H11 answers 200 without a token', async () => {
    emptyOk(await shop.post(path, {}))
    emptyOk(await shop.post(path, {token: ''}))
  })

  it('H12 revokes nothing when two tokens are given', async () => {
    const [token, other] = [await shop.token('ADM'), await shop.token('ADM')]
    emptyOk(await shop.post(path, `token=${token}&token=${other}`))
    expect(await shop.isActive(token)).to.equal(true)
    expect(await shop.isActive(other)).to.equal(true)
    emptyOk(await shop.post(path, `token=${token}&token=${token}`))
    expect(await shop.isActive(token)).to.equal(false)
  })

  it('H13 revokes nothing for another content type or a broken encoding, and says so in the log', async () => {
    const token = await shop.token('ADM')
    const json = {'content-type': 'application/json'}
    emptyOk(await shop.post(path, JSON.stringify({token}), 'ADM', json))
    expect(shop.log.at(-1)?.note).to.match(/^nothing was done: .*application\/x-www-form-urlencoded/)
    emptyOk(await shop.post(path, `token=${token}&x=%zz&token=%zz`, 'ADM', {'content-type': formType}))
    expect(shop.log.at(-1)?.note).to.match(/^nothing was done: /)
    expect(await shop.isActive(token)).to.equal(true)
  })

  it('H14 refuses a wrong client', async () => {
    const token = await shop.token('ADM')
    invalidClient(await shop.post(path, {token}, null))
    expect(await shop.isActive(token)).to.equal(true)
  })

  it('H15 answers 503 when the state cannot be written, and the token stays active', async () => {
    const token = await shop.token('ADM')
    const {state} = shop.runtime
    const {commit} = state
    const full = ApiError.of('OverCapacity', {message: 'The state cannot be written: no space.', retryAfterSeconds: 5})
    state.commit = () => Promise.reject(full)
    const answer = await revoke(token)
    state.commit = commit
    stdErr(answer, 503, 'OverCapacity')
    expect(answer.headers.get('retry-after')).to.equal('5')
    expect(await shop.isActive(token)).to.equal(true)
    emptyOk(await revoke(token))
    expect(await shop.isActive(token)).to.equal(false)
  })

  it('H17 answers ten at once with 200', async () => {
    const {refresh_token} = await signIn()
    for (const answer of await Promise.all(Array.from({length: 10}, () => revoke(refresh_token, 'MY')))) emptyOk(answer)
    stdErr(await refresh(refresh_token), 400, 'invalid_grant')
  })

  it('H18 leaves nothing of a grant active that is refreshed meanwhile', async () => {
    for (let round = 0; round < 10; round += 1) {
      const {refresh_token} = await signIn()
      const racing = Array.from({length: 6}, (_, at) =>
        at === 3 ? revoke(refresh_token, 'MY') : refresh(refresh_token),
      )
      const answers = await Promise.all(racing)
      for (const {status, text} of answers.filter((_, at) => at !== 3)) {
        expect(status).to.be.oneOf([200, 400])
        if (status === 200) expect(await shop.isActive(JSON.parse(text).access_token)).to.equal(false)
      }
    }
  })

  it('H18 revokes a token that moved between reading and writing', async () => {
    const {access_token, refresh_token} = await signIn()
    const {state} = shop.runtime
    const {commit} = state
    state.commit = async (...given) => {
      state.commit = commit
      stdOk(await refresh(refresh_token))
      return commit.call(state, ...given)
    }
    emptyOk(await revoke(refresh_token, 'MY'))
    stdErr(await refresh(refresh_token), 400, 'invalid_grant')
    expect(await shop.isActive(access_token)).to.equal(false)
  })

  it('H18 refuses a refresh whose token was revoked between reading and writing', async () => {
    const {refresh_token} = await signIn()
    const {state} = shop.runtime
    const {commit} = state
    state.commit = async (...given) => {
      state.commit = commit
      emptyOk(await revoke(refresh_token, 'MY'))
      return commit.call(state, ...given)
    }
    stdErr(await refresh(refresh_token), 400, 'invalid_grant')
  })

  it('H19 leaves other sessions of the same customer and client', async () => {
    const [first, second] = [await signIn(), await signIn()]
    emptyOk(await revoke(first.refresh_token, 'MY'))
    expect(await shop.isActive(second.access_token)).to.equal(true)
    stdOk(await refresh(second.refresh_token))
  })

  it('H20 answers 200 for a foreign token and keeps it to itself', async () => {
    const asked: string[] = []
    const external = async (_: unknown, token: string) => {
      asked.push(token)
    }
    Object.assign(shop.runtime, {external})
    emptyOk(await revoke('eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'))
    expect(asked).to.deep.equal([])
  })

  it('H21 answers GET with 405', async () => {
    const token = await shop.token('ADM')
    stdErr(await shop.api('GET', `${path}?${formOf({token})}`), 405, 'MethodNotAllowed')
    expect(await shop.isActive(token)).to.equal(true)
  })

  it('H22 writes neither token nor hint into the log, nor the token into the state', async () => {
    const token = await shop.token('ADM')
    await revoke(token, 'ADM', 'canary-hint')
    const log = JSON.stringify(shop.log)
    expect(log).to.not.include(token)
    expect(log).to.not.include('canary')
    const {results} = await shop.runtime.state.query(REALM, 'token', {limit: 500, offset: 0})
    expect(JSON.stringify(results)).to.not.include(token)
  })
})
