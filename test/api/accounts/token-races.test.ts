import {expect} from 'chai'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {type Answer, acted, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'

for (const store of ['lowdb', 'PostgreSQL'] as const) {
  describe(`api · one-time tokens beside other changes (${store})`, () => {
    let cluster: Cluster | undefined
    let desk: Desk
    let customer: Body

    before(async function () {
      if (store === 'PostgreSQL') cluster = await startCluster()
      if (store === 'PostgreSQL' && !cluster) return this.skip()
      desk = await openDesk(cluster ? {storeUrl: await cluster.database('tokens')} : {})
    })

    beforeEach(async () => {
      customer = await signedUp(desk)
    })

    after(async () => {
      await desk?.runtime.state.close()
      await cluster?.stop()
    })

    const post = (path: string, body: object): Promise<Answer> => desk.ask('POST', path, {body})
    const requests = {
      email: () => post('/customers/email-token', {id: customer.id, ttlMinutes: 10}),
      'email of that version': () => post('/customers/email-token', {id: customer.id, version: 1, ttlMinutes: 10}),
      password: () => post('/customers/password-token', {email: customer.email, ttlMinutes: 10}),
    }
    const changeEmail = () => acted(desk, customer, {action: 'changeEmail', email: `new-${customer.email}`})
    const erase = () => desk.ask('DELETE', `/customers/${customer.id}?version=1&dataErasure=true`)

    /** Lets `happen` come and go before the first commit that writes a document of a kind: what was read for it is stale. */
    function beforeCommitOf(written: string, happen: () => Promise<unknown>): void {
      const {state} = desk.runtime
      const commit = state.commit.bind(state)
      state.commit = async (project, changes, complete) => {
        if (changes.some((change) => ('remove' in change ? `-${change.kind}` : change.kind) === written)) {
          state.commit = commit
          await happen()
        }
        return commit(project, changes, complete)
      }
    }

    const used = (request: string, tokenValue: string): Promise<Answer> =>
      request === 'password'
        ? post('/customers/password/reset', {tokenValue, newPassword: 'another one'})
        : post('/customers/email/confirm', {tokenValue})

    it('make no email token for the address before, when the email changes meanwhile', async () => {
      beforeCommitOf('one-time-token', changeEmail)
      const refused = await requests['email of that version']()
      expect(refused.status).to.equal(409)
      expect(errorOf(refused)).to.include({code: 'ConcurrentModification', currentVersion: 2})
    })

    it('make an email token for the address that is there by then, when no version was named', async () => {
      let changed: Body
      beforeCommitOf('one-time-token', async () => {
        changed = (await changeEmail()).body
      })
      const {status, body} = await requests.email()
      expect(status).to.equal(200)
      expect((await used('email', body.value)).body).to.include({email: changed.email, isEmailVerified: true})
    })

    it('make no password token for an email that is no longer anybody’s', async () => {
      beforeCommitOf('one-time-token', changeEmail)
      expect((await requests.password()).status).to.equal(404)
    })

    for (const [request, asked] of Object.entries(requests)) {
      it(`end with the email (${request}): a token that was made while it changed is of no use`, async () => {
        let value = ''
        beforeCommitOf('customer', async () => {
          value = (await asked()).body.value
        })
        expect((await changeEmail()).status).to.equal(200)
        expect(value).to.have.length(40)
        expect((await used(request, value)).status).to.equal(404)
        const {body} = await desk.ask('GET', `/customers/${customer.id}`)
        expect(body).to.include({isEmailVerified: false})
      })

      for (const [when, written] of [
        ['before the erasure', '-customer'],
        ['after the erasure', 'one-time-token'],
      ] as const) {
        it(`leave nothing behind an erasure (${request}, stored ${when})`, async () => {
          const other = written === '-customer' ? asked : erase
          let inner: Answer | undefined
          beforeCommitOf(written, async () => {
            inner = await other()
          })
          const outer = await (written === '-customer' ? erase() : asked())
          const [erased, token] = written === '-customer' ? [outer, inner] : [inner, outer]
          expect(erased?.status).to.equal(200)
          expect(token?.status).to.equal(written === '-customer' ? 200 : 404)
          await expectNothingOf(customer.id, token?.body?.value)
        })
      }
    }

    it('leave nothing behind an erasure beside which they are asked for as often as can be', async () => {
      const all = await Promise.all([
        ...Array.from({length: 2}, () => [requests.email(), requests.password()]).flat(),
        erase(),
        ...Array.from({length: 2}, () => [requests.email(), requests.password()]).flat(),
      ])
      const [erased] = all.splice(4, 1)
      expect(erased?.status).to.be.oneOf([200, 409])
      if (erased?.status !== 200) expect((await erase()).status).to.equal(200)
      for (const {body} of all) await expectNothingOf(customer.id, body.value)
    })

    /** No message names the customer or shows the token, and no token of the customer is stored. */
    async function expectNothingOf(id: string, value: string | undefined): Promise<void> {
      const left: string[] = []
      for await (const {kind, doc} of desk.runtime.state.documents(desk.projectKey)) {
        const text = JSON.stringify(doc)
        if (kind === 'message' && value !== undefined && text.includes(value)) left.push(text)
        if (['message', 'one-time-token', 'credential'].includes(kind) && text.includes(`"customerId":"${id}"`)) {
          left.push(text)
        }
      }
      expect(left).to.deep.equal([])
    }
  })
}
