import {expect} from 'chai'
import {acted, type Body, type Desk, openDesk, signedUp} from '../harness.js'

describe('customers · search', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })

  const search = async (text: string, more = '', path = '/_frontdesk/customers', token?: string): Promise<Body> => {
    const answer = await desk.ask('GET', `${path}?text=${encodeURIComponent(text)}${more}`, token ? {token} : {})
    return answer
  }
  const keys = async (...args: Parameters<typeof search>): Promise<string[]> =>
    (await search(...args)).body.results.map(({key, email}: Body) => key ?? email)

  it('finds by parts of everything that people say on the phone', async () => {
    for (const text of [
      'brandv',
      'hazel ottilie',
      '+49 30 5550 1170',
      'd-1001',
      '1a6d66fe',
      'uns dr brandvold berlin',
    ]) {
      const expected = text.startsWith('uns') ? [] : ['hazel-brandvold']
      expect(await keys(text), text).to.deep.equal(expected)
    }
  })

  it('puts who has exactly this first, then who has a name that begins so, and counts all', async () => {
    await signedUp(desk, {key: 'zz-1', firstName: 'Anna', lastName: 'Smith'})
    await signedUp(desk, {key: 'zz-2', firstName: 'Bo', lastName: 'Blacksmith'})
    await signedUp(desk, {key: 'smith', firstName: 'Zoe', lastName: 'Young'})
    expect(await keys('smith')).to.deep.equal(['smith', 'zz-1', 'zz-2'])
    const {body} = await search('smith', '&limit=2')
    expect(body).to.include({limit: 2, offset: 0, count: 2, total: 3})
  })

  it('sees a change and a deletion with the answer of the write', async () => {
    const customer = await signedUp(desk, {key: 'moves', lastName: 'Quillfeather'})
    const {body} = await acted(desk, customer, {action: 'setLastName', lastName: 'Oxbow'})
    expect(await keys('quillf')).to.deep.equal([])
    expect(await keys('oxbow')).to.deep.equal(['moves'])
    await desk.ask('DELETE', `/customers/${body.id}?version=${body.version}&dataErasure=true`)
    expect(await keys('oxbow')).to.deep.equal([])
  })

  it('shows in a store who belongs to it or to none, and nobody else', async () => {
    const inStore = '/in-store/key=berlin/_frontdesk/customers'
    const ours = await signedUp(desk, {lastName: 'Tidewater', stores: [{typeId: 'store', key: 'berlin'}]})
    const theirs = await signedUp(desk, {lastName: 'Tidewater', stores: [{typeId: 'store', key: 'london'}]})
    const everybodys = await signedUp(desk, {lastName: 'Tidewater'})
    const ids = async (token: string) =>
      (await search('tidewater', '', inStore, token)).body.results.map(({id}: Body) => id)
    const token = await desk.token('view_customers:demo:berlin')
    expect(await ids(token))
      .to.have.members([ours.id, everybodys.id])
      .and.not.include(theirs.id)
    expect((await search('tidewater', '', '/_frontdesk/customers', token)).status).to.equal(403)
    expect((await search('tidewater', '', inStore, await desk.token('view_orders'))).status).to.equal(403)
  })

  it('refuses a text without a word, one that is too long, and two', async () => {
    for (const text of ['', ' .- ', 'x'.repeat(201)]) expect((await search(text)).status, text).to.equal(400)
    expect((await search('a', '&text=b')).status).to.equal(400)
    expect((await search('a', '&limit=501')).status).to.equal(400)
  })
})
