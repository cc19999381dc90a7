import {expect} from 'chai'
import {config} from '../run.js'
import {customerRows} from './customer-rows.js'
import {settles} from './harness.js'
import {otherRows, without} from './other-rows.js'
import {passwordRows} from './password-rows.js'

describe('cli · settling other writes', () => {
  it('has a row for every command that writes', async () => {
    const {commands} = await config()
    const writing = commands.filter(({flags}) => 'reason' in flags).map(({id}) => id.replaceAll(':', ' '))
    const rows = [...customerRows, ...passwordRows, ...otherRows]
    const known = new Set([...rows.map(({command}) => command), ...without.keys()])
    expect(writing.filter((id) => !known.has(id))).to.deep.equal([])
    expect([...known].filter((id) => !writing.includes(id))).to.deep.equal([])
  })

  settles(otherRows)
})
