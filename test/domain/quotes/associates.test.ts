import {expect} from 'chai'
import {type Associate, type BusinessUnit, roleKeysOf, sharedParent} from '../../../src/domain/quotes/associates.js'

const associate = (id: string, ...roles: readonly (readonly [string, ('Enabled' | 'Disabled')?])[]): Associate => ({
  customer: {typeId: 'customer', id},
  associateRoleAssignments: roles.map(([key, inheritance]) => ({
    associateRole: {typeId: 'associate-role', key},
    ...(inheritance ? {inheritance} : {}),
  })),
})

const unit = (key: string, members: Partial<BusinessUnit> = {}): BusinessUnit => ({
  id: key,
  version: 1,
  key,
  ...members,
})
const parentUnit = {typeId: 'business-unit', key: 'top'}

describe('quotes · roles of associates', () => {
  it('are those of the unit itself, whatever they pass on', () => {
    const mill = unit('mill', {
      associates: [associate('ann', ['buyer', 'Disabled'], ['viewer']), associate('bob', ['approver'])],
    })
    expect(roleKeysOf([mill], true, 'ann')).to.deep.equal(['buyer', 'viewer'])
    expect(roleKeysOf([mill], true, 'cid')).to.deep.equal([])
  })

  it('come from units above only where they are passed on', () => {
    const top = unit('top', {
      associates: [associate('ann', ['buyer', 'Enabled'], ['approver', 'Disabled'], ['viewer'])],
    })
    const north = unit('north', {parentUnit, associates: [associate('ann', ['negotiator'])]})
    expect(roleKeysOf([north, top], true, 'ann')).to.deep.equal(['negotiator', 'buyer'])
    expect(roleKeysOf([north], true, 'ann')).to.deep.equal(['negotiator'])
  })

  it('are each there once', () => {
    const top = unit('top', {associates: [associate('ann', ['buyer', 'Enabled'])]})
    const north = unit('north', {parentUnit, associates: [associate('ann', ['buyer'])]})
    expect(roleKeysOf([north, top], true, 'ann')).to.deep.equal(['buyer'])
  })

  it('are taken from what the service derived if the unit above is not kept here', () => {
    const north = unit('north', {parentUnit, inheritedAssociates: [associate('ann', ['buyer'])]})
    expect(roleKeysOf([north], false, 'ann')).to.deep.equal(['buyer'])
    expect(roleKeysOf([north], true, 'ann')).to.deep.equal([])
  })

  it('belong to nobody in a unit that does not exist', () => {
    expect(roleKeysOf([], false, 'ann')).to.deep.equal([])
  })

  it('are shared with a parent unless the unit says otherwise', () => {
    expect(sharedParent(unit('north', {parentUnit}))).to.deep.equal(parentUnit)
    expect(sharedParent(unit('north', {parentUnit, associateMode: 'ExplicitAndFromParent'}))).to.deep.equal(parentUnit)
    expect(sharedParent(unit('north', {parentUnit, associateMode: 'Explicit'}))).to.equal(undefined)
    expect(sharedParent(unit('top'))).to.equal(undefined)
  })
})
