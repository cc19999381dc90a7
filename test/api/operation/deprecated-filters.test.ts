import {expect} from 'chai'
import {type Answer, type Desk, errorOf, openDesk} from '../harness.js'

describe('api · deprecated filters of collections', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const get = (path: string, token?: string): Promise<Answer> => desk.ask('GET', path, token ? {token} : {})

  it('shows carts of one customer only, with a notice', async () => {
    const all = (await get('/carts?limit=500')).body.results
    const {customerId} = all.find((cart: {customerId?: string}) => cart.customerId !== undefined)
    const {status, body, headers} = await get(`/carts?limit=500&customerId=${customerId}`)
    expect(status).to.equal(200)
    expect(body.results).to.deep.equal(all.filter((cart: {customerId?: string}) => cart.customerId === customerId))
    expect(body.total).to.equal(body.results.length)
    expect(headers['x-deprecation-notice']).to.include('customerId').and.include('2020-01-27')
    expect((await get('/carts?customerId=nobody')).body.results).to.deep.equal([])
    expect(errorOf(await get('/carts?customerId=a&customerId=b')).code).to.equal('InvalidInput')
    expect((await get('/carts')).headers).to.not.have.property('x-deprecation-notice')
  })

  it('shows shipping methods that deliver to the address of a cart, with a notice', async () => {
    const carts = (await get('/carts?limit=500')).body.results
    const cartTo = (country: string | undefined): string =>
      carts.find(({shippingAddress}: {shippingAddress?: {country: string}}) => shippingAddress?.country === country).id
    const {body, headers} = await get(`/shipping-methods?cartId=${cartTo('DE')}`)
    expect(body.results.map(({key}: {key: string}) => key)).to.include('parcel')
    expect(headers['x-deprecation-notice']).to.include('cartId')
    const other = (await get(`/shipping-methods?cartId=${cartTo('US')}`)).body.results
    expect(other.length).to.be.below((await get('/shipping-methods')).body.results.length)
    expect(errorOf(await get(`/shipping-methods?cartId=${cartTo(undefined)}`)).code).to.equal('InvalidOperation')
    expect((await get('/shipping-methods?cartId=nowhere')).status).to.equal(404)
  })

  it('tells nothing of a cart to a caller who may not read carts', async () => {
    const [{id}] = (await get('/carts?where=shippingAddress%20is%20defined&limit=1')).body.results
    const token = await desk.token('view_shipping_methods')
    expect((await get(`/shipping-methods?cartId=${id}`, token)).status).to.be.oneOf([403, 404])
  })
})
