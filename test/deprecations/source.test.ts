// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source code in strings is what these tests are about

import {expect} from 'chai'
import {startCheck} from '../../src/deprecations/check/check.js'

const check = async (text: string, path = 'app.ts') => {
  const {findings} = await startCheck().text({path, text})
  return findings.map(({line, column, ruleId}) => `${line}:${column} ${ruleId}`)
}

const ids = async (text: string, path?: string) => (await check(text, path)).map((found) => found.split(' ')[1])

const platform = "import {apiRoot} from '@commercetools/sdk'\n"

describe('deprecations · source code', () => {
  it('finds an action by its name wherever it stands', async () => {
    expect(await check("const a = {action: 'setSKU', sku}")).to.deep.equal(['1:21 products-set-sku-not-staged'])
    expect(await ids("const a = {action: 'setSku', sku}")).to.deep.equal([])
    expect(await ids("dispatch({type: 'setSKU'})")).to.deep.equal([])
  })

  it('knows the SDK’s types', async () => {
    const draft = '{id: cart.id, version}'
    expect(await ids(`const d: OrderFromCartDraft = ${draft}`)).to.deep.equal(['orders-from-cart-id'])
    expect(await ids(`f(${draft} satisfies OrderFromCartDraft)`)).to.deep.equal(['orders-from-cart-id'])
    expect(await ids(`const d: Readonly<OrderFromCartDraft> = ${draft}`)).to.deep.equal(['orders-from-cart-id'])
    expect(await ids(`const d: MyOrderFromCartDraft = ${draft}`)).to.deep.equal([])
    expect(await ids('const d: OrderFromCartDraft = {id, cart, version}')).to.deep.equal([])
    expect(await ids('const d: OrderFromCartDraft = {id, ...rest}')).to.deep.equal([])
    expect(await ids("const a: CustomerUpdateAction[] = [{action: 'changeName'}]")).to.deep.equal([
      'customers-change-name',
    ])
  })

  it('follows the SDK’s builder to the place of a body and to the query', async () => {
    const post = 'root.inStoreKeyWithStoreKeyValue({storeKey}).orders().post({body: {id, version}}).execute()'
    expect(await ids(post)).to.deep.equal(['orders-from-cart-id'])
    expect(await ids(post.replace('.orders()', '.me().orders()'))).to.deep.equal([])
    expect(await ids("root.carts().get({queryArgs: {customerId: '1', limit: 1}})")).to.deep.equal([
      'carts-customer-id-query',
    ])
    expect(await ids("root.orders().get({queryArgs: {sort: ['lastMessageSequenceNumber desc']}})")).to.deep.equal([
      'orders-last-message-sequence-number',
    ])
    expect(await ids('root.customObjects().withContainer({container}).get()')).to.deep.equal([])
    expect(await ids('store.state.orders().post({body: convert({id, version})})')).to.deep.equal([])
  })

  it('follows a request to its body', async () => {
    const body = 'JSON.stringify({id, version})'
    expect(await ids(`fetch('/my-shop/orders', {method: 'POST', body: ${body}})`)).to.deep.equal([
      'orders-from-cart-id',
    ])
    expect(await ids('axios.post(`${api}/${projectKey}/orders`, {id, version})')).to.deep.equal(['orders-from-cart-id'])
    expect(await ids('axios.post(`${api}/orders`, {id, version})')).to.deep.equal([])
    expect(await ids(`fetch('/my-shop/me/orders', {method: 'POST', body: ${body}})`)).to.deep.equal([])
  })

  it('asks of ordinary names that the file speaks of the platform', async () => {
    const text = 'save({custom: {typeId: id, fields: {}}})'
    expect(await ids(text)).to.deep.equal([])
    expect(await ids(platform + text)).to.deep.equal(['custom-fields-type-id'])
    expect(await ids('const u = `/carts?customerId=${id}`')).to.deep.equal([])
    expect(await ids(`${platform}const u = \`/carts?customerId=\${id}\``)).to.deep.equal(['carts-customer-id-query'])
  })

  it('does not mistake a link or another service for the platform', async () => {
    const clean = [
      "fetch('https://shop.example.com/api/carts?customerId=1')",
      "router.get('/en/orders?sort=lastMessageSequenceNumber')",
      "fetch('/api/v1/shipping-methods?country=DE')",
      "link('https://docs.commercetools.com/api/projects/carts?customerId=1#x')",
      "const permissions = ['view_recurring_orders']",
    ]
    for (const text of clean) expect(await ids(text), text).to.deep.equal([])
  })

  it('finds custom objects only where the method shows that they are read', async () => {
    const url = 'https://api.us-central1.gcp.commercetools.com/my-shop/custom-objects'
    expect(await ids(`fetch('${url}')`)).to.deep.equal(['custom-objects-query-all'])
    expect(await ids(`fetch('${url}', {method: 'POST', body})`)).to.deep.equal([])
    expect(await ids(`client.get('${url}')`)).to.deep.equal(['custom-objects-query-all'])
    expect(await ids(`const base = '${url}'`)).to.deep.equal([])
  })

  it('reads the scopes of an array as one list', async () => {
    expect(await ids("const s = ['view_recurring_orders:p', 'view_recurrence_policies:p']")).to.deep.equal([])
    expect(await ids("const s = ['view_recurring_orders:p', 'manage_project:p']")).to.deep.equal([])
    expect(await ids('const s = [`view_recurring_orders:${key}`]')).to.deep.equal(['recurrence-policies-scopes'])
    expect(await ids("const scope = 'view_recurring_orders view_orders'")).to.deep.equal(['recurrence-policies-scopes'])
    expect(await ids('const scope = `${a} view_recurring_orders:p manage_recurrence_policies:p`')).to.deep.equal([])
  })

  it('reads GraphQL in templates, with the place of what it finds', async () => {
    const text = 'const q = gql`\n  query { cart(id: "1") { ...Cart customFieldsRaw { name } } }\n  ${Cart}\n`'
    expect(await check(text)).to.deep.equal(['2:35 graphql-cart-custom-fields-raw'])
    expect(await ids('const q = gql`{ cart(id: "1") { ...${name} customFieldsRaw } }`')).to.have.length(1)
    expect(await ids('const s = "{ cart { customFieldsRaw } }"')).to.deep.equal([])
    expect(await ids('const q = `query { cart(id: ${id}) { customFieldsRaw `')).to.deep.equal([])
  })

  it('knows deprecated names only as the SDK’s', async () => {
    expect(await ids("import {ProductSelectionType} from './mine'")).to.deep.equal([])
    expect(await ids("import {type ProductSelectionType} from '@commercetools/platform-sdk'")).to.deep.equal([
      'product-selections-type',
    ])
    expect(await ids("import {ProductSelectionMode} from '@commercetools/platform-sdk'")).to.deep.equal([])
  })

  it('lets comments in the code decide what passes', async () => {
    const use = "const a = {action: 'setSKU'}"
    expect(await ids(`// frontdesk-ignore-next-line\n${use}`)).to.deep.equal([])
    expect(await ids(`${use} // frontdesk-ignore-line products-set-sku-not-staged -- until May`)).to.deep.equal([])
    expect(await ids(`// frontdesk-ignore-next-line -- not ours\n${use}`)).to.deep.equal([])
    expect(await ids(`/* frontdesk-ignore-next-line import-sink */\n${use}`)).to.have.length(1)
    expect(await ids(`// frontdesk-ignore-next-line\n\n${use}`)).to.have.length(1)
    const {notes} = await startCheck().text({path: 'a.ts', text: `\n// frontdesk-ignore-line import-snk\n${use}`})
    expect(notes).to.deep.equal([{path: 'a.ts', line: 2, message: "no rule is called 'import-snk'"}])
  })
})
