import {expect} from 'chai'
import {type Desk, draft, errorOf, openDesk} from '../harness.js'

describe('api · dates of birth', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
  })

  const update = (id: string, version: number, dateOfBirth: unknown) =>
    desk.ask('POST', `/customers/${id}`, {body: {version, actions: [{action: 'setDateOfBirth', dateOfBirth}]}})

  it('are kept with two digits for month and day, however many were sent', async () => {
    const {body} = await desk.ask('POST', '/customers', {body: draft({dateOfBirth: '1990-4-7'})})
    expect(body.customer.dateOfBirth).to.equal('1990-04-07')
    const changed = await update(body.customer.id, 1, '1985-12-1')
    expect(changed.body).to.include({version: 2, dateOfBirth: '1985-12-01'})
    expect((await update(body.customer.id, 2, '1985-12-01')).body.version).to.equal(2)
    const found = await desk.ask('GET', `/customers?where=${encodeURIComponent('dateOfBirth = "1985-12-01"')}`)
    expect(found.body.count).to.equal(1)
  })

  it('are refused where anything else would have to be guessed', async () => {
    for (const dateOfBirth of [
      '1990-2-30',
      '90-4-7',
      '7.4.1990',
      '1990-4',
      '1990-004-7',
      ' 1990-4-7',
      '1990/4/7',
      1990,
    ]) {
      const answer = await desk.ask('POST', '/customers', {body: draft({dateOfBirth})})
      expect(errorOf(answer).code, String(dateOfBirth)).to.be.oneOf(['InvalidField', 'InvalidJsonInput'])
    }
  })
})
