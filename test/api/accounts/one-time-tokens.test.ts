import {expect} from 'chai'
import {type Answer, acted, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'

const minute = 60_000

describe('api · password and email tokens', () => {
  let desk: Desk
  let customer: Body

  beforeEach(async () => {
    desk = await openDesk()
    customer = await signedUp(desk)
  })

  const post = (path: string, body: object): Promise<Answer> => desk.ask('POST', path, {body})
  const passwordToken = async (members: object = {}): Promise<string> =>
    (await post('/customers/password-token', {email: customer.email, ...members})).body.value
  const emailToken = async (members: object = {}): Promise<string> =>
    (await post('/customers/email-token', {id: customer.id, ttlMinutes: 10, ...members})).body.value
  const reset = (tokenValue: string, newPassword = 'a new one', version?: number): Promise<Answer> =>
    post('/customers/password/reset', {tokenValue, newPassword, ...(version === undefined ? {} : {version})})
  const confirm = (tokenValue: string): Promise<Answer> => post('/customers/email/confirm', {tokenValue})
  const signIn = (password: string): Promise<Answer> => post('/login', {email: customer.email, password})

  it('shows a token once, with 40 characters and its end, and leaves the version alone', async () => {
    const {status, body} = await post('/customers/password-token', {email: customer.email.toUpperCase(), ttlMinutes: 3})
    expect(status).to.equal(200)
    expect(body.value).to.match(/^[A-Za-z0-9_-]{40}$/)
    expect(body).to.include({customerId: customer.id, invalidateOlderTokens: false})
    expect(Date.parse(body.expiresAt)).to.equal(desk.clock.now + 3 * minute)
    expect((await desk.ask('GET', `/customers/${customer.id}`)).body.version).to.equal(1)
  })

  it('resets the password: the old one is gone, the new one signs in, the mask and version change', async () => {
    const {status, body} = await reset(await passwordToken())
    expect(status).to.equal(200)
    expect(body.version).to.equal(2)
    expect(body.password)
      .to.match(/^\*{4}.{4}$/)
      .and.not.equal(customer.password)
    expect(errorOf(await signIn('correct horse')).code).to.equal('InvalidCredentials')
    expect((await signIn('a new one')).status).to.equal(200)
  })

  it('ends all reset tokens with one use, and keeps email tokens', async () => {
    const [older, used, mail] = [await passwordToken(), await passwordToken(), await emailToken()]
    await reset(used)
    for (const token of [older, used]) expect((await reset(token)).status).to.equal(404)
    expect((await confirm(mail)).status).to.equal(200)
  })

  it('ends as many tokens as there are, however many that is', async () => {
    const value = await passwordToken()
    const {state} = desk.runtime
    const {results} = await state.query(desk.projectKey, 'one-time-token', {limit: 1, offset: 0})
    const [token] = results
    if (!token) throw new Error('no token is stored')
    const more = Array.from({length: 700}, (_, at) => ({...token, id: `more-${at}`, version: 1, messageId: undefined}))
    await state.commit(
      desk.projectKey,
      more.map((doc) => ({kind: 'one-time-token', expect: 0, doc})),
    )
    expect((await reset(value)).status).to.equal(200)
    const left = await state.query(desk.projectKey, 'one-time-token', {limit: 10, offset: 0})
    expect(left.results).to.deep.equal([])
  })

  it('lets exactly one of twenty parallel uses succeed', async () => {
    const token = await passwordToken()
    const answers = await Promise.all(Array.from({length: 20}, (_, at) => reset(token, `password ${at}`)))
    expect(answers.filter(({status}) => status === 200)).to.have.length(1)
    for (const {status, body} of answers) expect(status, JSON.stringify(body)).to.be.oneOf([200, 404])
  })

  it('consumes nothing in a failed attempt', async () => {
    const token = await passwordToken()
    expect((await reset(token, 'x', 7)).status).to.equal(409)
    expect((await reset(token, '')).status).to.equal(400)
    expect((await reset(token, 'ü'.repeat(513))).status).to.equal(400)
    expect((await reset(token, 'fine', 1)).status).to.equal(200)
  })

  it('says when a token has expired, and does not find a wrong one', async () => {
    const [password, mail] = [await passwordToken({ttlMinutes: 5}), await emailToken({ttlMinutes: 5})]
    desk.clock.now += 5 * minute
    expect(errorOf(await reset(password)).code).to.equal('ExpiredCustomerPasswordToken')
    expect(errorOf(await confirm(mail)).code).to.equal('ExpiredCustomerEmailToken')
    expect(errorOf(await desk.ask('GET', `/customers/password-token=${password}`)).code).to.equal(
      'ExpiredCustomerPasswordToken',
    )
    expect((await reset('nothing')).status).to.equal(404)
  })

  it('keeps the two kinds apart', async () => {
    expect((await reset(await emailToken())).status).to.equal(404)
    expect((await confirm(await passwordToken())).status).to.equal(404)
  })

  it('reads the customer behind a token', async () => {
    const byPassword = await desk.ask('GET', `/customers/password-token=${await passwordToken()}`)
    const byEmail = await desk.ask('GET', `/customers/email-token=${await emailToken()}`)
    expect([byPassword.body.id, byEmail.body.id]).to.deep.equal([customer.id, customer.id])
  })

  it('ends older tokens of the same kind on request', async () => {
    const [older, mail] = [await passwordToken(), await emailToken()]
    const newest = await passwordToken({invalidateOlderTokens: true})
    expect((await reset(older)).status).to.equal(404)
    expect((await confirm(mail)).status).to.equal(200)
    expect((await reset(newest)).status).to.equal(200)
  })

  it('verifies an email once, and forgets it when the email changes', async () => {
    const token = await emailToken()
    const verified = (await confirm(token)).body
    expect(verified).to.include({isEmailVerified: true, version: 2})
    expect((await confirm(token)).status).to.equal(404)
    const [password, mail] = [await passwordToken(), await emailToken()]
    const changed = await acted(desk, verified, {action: 'changeEmail', email: 'elsewhere@example.com'})
    expect(changed.body.isEmailVerified).to.equal(false)
    expect((await confirm(mail)).status).to.equal(404)
    expect((await reset(password)).status).to.equal(404)
  })

  for (const ttlMinutes of [0, -5, 1.5, '60', 43_201, 9e15]) {
    it(`refuses a validity of ${JSON.stringify(ttlMinutes)} minutes`, async () => {
      expect((await post('/customers/password-token', {email: customer.email, ttlMinutes})).status).to.equal(400)
      expect((await post('/customers/email-token', {id: customer.id, ttlMinutes})).status).to.equal(400)
    })
  }

  it('needs the validity of an email token to be said', async () => {
    expect((await post('/customers/email-token', {id: customer.id})).status).to.equal(400)
  })

  it('does not make password tokens for unknown emails and external sign-in', async () => {
    expect((await post('/customers/password-token', {email: 'nobody@example.com'})).status).to.equal(404)
    await acted(desk, customer, {action: 'setAuthenticationMode', authMode: 'ExternalAuth'})
    expect(errorOf(await post('/customers/password-token', {email: customer.email})).code).to.equal('InvalidOperation')
  })

  it('S-17 puts the value into the message up to 60 minutes of validity, and scrubs it with the token', async () => {
    const valuesOf = async (): Promise<string[]> => {
      const where = encodeURIComponent('type = "CustomerPasswordTokenCreated"')
      const {body} = await desk.ask('GET', `/messages?where=${where}`)
      return body.results.map(({value}: Body) => value).filter(Boolean)
    }
    await passwordToken({ttlMinutes: 61})
    const short = await passwordToken({ttlMinutes: 60})
    expect(await valuesOf()).to.deep.equal([short])
    const datesOf = async (): Promise<string[]> =>
      (await desk.ask('GET', '/messages?limit=100')).body.results
        .filter(({type}: Body) => type === 'CustomerPasswordTokenCreated')
        .map(({createdAt}: Body) => createdAt)
    const before = await datesOf()
    desk.clock.now += minute
    await reset(short)
    expect(await valuesOf()).to.deep.equal([])
    expect(await datesOf(), 'a message keeps its date').to.deep.equal(before)
  })

  it('changes a password that is known, and counts wrong guesses for the lockout', async () => {
    const change = (currentPassword: string, version = 1): Promise<Answer> =>
      post('/customers/password', {id: customer.id, version, currentPassword, newPassword: 'changed'})
    expect(errorOf(await change('wrong')).code).to.equal('InvalidCurrentPassword')
    expect((await change('correct horse', 3)).status).to.equal(409)
    expect((await change('correct horse')).body.version).to.equal(2)
    for (let at = 0; at < 10; at += 1) await signIn('wrong')
    const locked = await signIn('changed')
    expect(locked.status).to.equal(429)
    expect(Number(locked.headers['retry-after'])).to.be.greaterThan(0)
    desk.clock.now += 16 * minute
    expect((await signIn('changed')).status).to.equal(200)
  })
})
