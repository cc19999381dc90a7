// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source code in strings is what these tests are about

import {expect} from 'chai'
import {startCheck} from '../../src/deprecations/check/check.js'
import {tokensOf} from '../../src/deprecations/check/lexer.js'
import {bracketsOf, readLiteral} from '../../src/deprecations/check/literal-reader.js'
import {fileText, hole} from '../../src/deprecations/check/tree.js'

const check = async (text: string, path = 'app.ts') => {
  const {findings} = await startCheck().text({path, text})
  return findings.map(({line, column, ruleId}) => `${line}:${column} ${ruleId}`)
}

const ids = async (text: string, path?: string) => (await check(text, path)).map((found) => found.split(' ')[1])

/** Tokens as their values: texts in quotes, regular expressions as slashes. */
const tokens = (text: string) =>
  tokensOf(fileText(text)).map(({kind, value}) => (kind === 'text' ? `'${value}'` : kind === 'regex' ? '//' : value))

const literal = (text: string) => {
  const found = tokensOf(fileText(text))
  return readLiteral(found, bracketsOf(found), 0)?.node
}

const platform = "import {apiRoot} from '@commercetools/sdk'\n"

describe('deprecations · tokens of source code', () => {
  it('leaves out comments and keeps strings', () => {
    expect(tokens('a /* "b" */ + "c // d" // e\n f')).to.deep.equal(['a', '+', "'c // d'", 'f'])
    expect(tokens("x = 'it\\'s' + \"\\u0041\\x42\\u{43}\\n\"")).to.deep.equal(['x', '=', "'it's'", '+', "'ABC\n'"])
  })

  it('tells a regular expression from a division', () => {
    expect(tokens('a / b / c')).to.deep.equal(['a', '/', 'b', '/', 'c'])
    expect(tokens('x = /["\'`]/g.test(y)')).to.deep.equal(['x', '=', '//', '.', 'test', '(', 'y', ')'])
    expect(tokens('return /[/"]/')).to.deep.equal(['return', '//'])
  })

  it('puts a hole where a template has an expression', () => {
    expect(tokens('`a${b + `${c}`}d${"}"}`')).to.deep.equal([`'a${hole}d${hole}'`])
    expect(tokens('`\\`\\${x}`')).to.deep.equal(["'`${x}'"])
  })

  it('goes on behind an apostrophe in markup', () => {
    expect(tokens("<p>don't</p>\n'x'").at(-1)).to.equal("'x'")
  })

  it('survives what is no source code', () => {
    for (const text of ['`', '`${', '"', '/', '/*', '\\', '`${`${`${', '{'.repeat(1000), '\u0000\uD800', '#!/bin/sh']) {
      expect(() => tokens(text), text).not.to.throw()
    }
  })
})

describe('deprecations · literals of source code', () => {
  it('reads what is written and leaves open what is not', () => {
    const node = literal("{a: 'x', 'b': [1, null, f(), {c: `y`}], d, ...rest, [key]: 1, m() { return {e: 1} }}")
    if (node?.kind !== 'object') throw new Error('no object')
    expect(node.members.map(({name, value}) => `${name} ${value.kind}`)).to.deep.equal([
      'a text',
      'b array',
      'd other',
      'm other',
    ])
    expect(node.isOpen).to.equal(true)
  })

  it('takes no block, type, pattern or schema for a literal', () => {
    const none = [
      '{ return x }',
      '{ f(); g() }',
      '{a: string, b: number}',
      '{a?: X}',
      '{a: X; b: Y}',
      '{a, b} = c',
      '{a, b}) => a',
      '{a: v.string()}',
      '{a: Text, b: optional(v.string())}',
      '{a: z.object({b: z.string()})}',
      '{a: 1',
      '{if (x) { y }}',
    ]
    for (const text of none) expect(literal(text), text).to.equal(undefined)
  })

  it('reads on behind type assertions', () => {
    const node = literal("{a: 'x' as const, b: {c: 1} satisfies C, d: <T>e}")
    expect(node?.kind === 'object' && node.members.map(({value}) => value.kind)).to.deep.equal([
      'text',
      'object',
      'other',
    ])
  })
})

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

  it('stays fast on what is made to be slow', async () => {
    const hostile = [
      '{a('.repeat(300_000),
      '{a:'.repeat(200_000),
      `${'{a:['.repeat(90)}${']}'.repeat(90)};`.repeat(500),
      `const a = ${'['.repeat(100_000)}`,
      `f(${"'x',".repeat(200_000)})`,
      `gql\`query ${'{a'.repeat(50_000)}\``,
      ' '.repeat(4_000_000),
      `'${'\\n'.repeat(1_000_000)}'`,
      '`${'.repeat(100_000),
    ]
    for (const text of hostile) await check(text)
  })
})
