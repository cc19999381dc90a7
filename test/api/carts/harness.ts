import {keyed, pack} from '../../fixtures/pack.js'
import {type Answer, type Body, type Desk, draft} from '../harness.js'

/** Signing in at the demo shop with the carts that it holds for that. */

export const cartId = (key: string): string => keyed(pack.carts, key).id
export const cartCalled = (key: string) => ({typeId: 'cart', id: cartId(key)})

const passwords: Readonly<Record<string, string>> = {
  hazel: 'demo-only-hazel',
  'walk-in': 'demo-only-walk-in',
  mira: 'demo-only-mira-berlin',
  noor: 'demo-only-noor',
}
const emails: Readonly<Record<string, string>> = {
  hazel: 'hazel.brandvold@example.com',
  'walk-in': 'walk.in@example.com',
  mira: keyed(pack.customers, 'mira-berlin').email,
  noor: keyed(pack.customers, 'two-shops').email,
}

/** Asks `/login` for one of the demo customers; `place` is `''` or `/in-store/key=…`. */
export const signIn = (desk: Desk, name: string, members: object = {}, place = ''): Promise<Answer> =>
  desk.ask('POST', `${place}/login`, {body: {email: emails[name], password: passwords[name], ...members}})

export const signUp = (desk: Desk, members: object = {}, place = ''): Promise<Answer> =>
  desk.ask('POST', `${place}/customers`, {body: draft(members)})

/** The cart as it is stored. */
export const storedCart = async (desk: Desk, key: string): Promise<Body> =>
  (await desk.ask('GET', `/carts/${cartId(key)}`)).body

/** Writes a cart that the demo shop lacks: one of its own with other members. */
export async function seededCart(desk: Desk, key: string, members: object): Promise<void> {
  const id = `another-${key}`
  const doc = {...keyed(pack.carts, key), id, key: id, ...members}
  const put = {kind: 'cart', expect: 0, doc, uniqueKeys: [{key: `key:${doc.key}`}]}
  await desk.runtime.state.commit(desk.projectKey, [put])
}

/** What a cart holds, in short: `mug/1×7`. */
export const goods = ({lineItems, customLineItems}: Body): string[] => [
  ...lineItems.map(({productKey, variant, quantity}: Body) => `${productKey}/${variant.id}×${quantity}`),
  ...customLineItems.map(({slug, quantity}: Body) => `${slug}×${quantity}`),
]
