import {expect} from 'chai'
import type {AnyOperation} from '../../src/api/operation/operation.js'
import {shownPath} from '../../src/server/requests/request-log.js'

describe('server · paths in the log of requests', () => {
  it('masks what an operation declares as a secret, whatever its segment is called', () => {
    const operation = {
      path: '/{projectKey}/invitations/{token}',
      secrets: ['token'],
    } as unknown as AnyOperation
    const params = {projectKey: 'shop', token: 'tell-nobody'}
    expect(shownPath({path: '/shop/invitations/tell-nobody', operation, params})).to.equal('/shop/invitations/…')
  })
})
