import {expect} from 'chai'
import {type CheckInput, type CheckOptions, startCheck} from '../../src/deprecations/check/check.js'
import {readJson} from '../../src/deprecations/check/json-reader.js'
import {fileText, offsetAt} from '../../src/deprecations/check/tree.js'

const check = (input: Partial<CheckInput> & {text: string}, options: CheckOptions = {}) =>
  startCheck(options).text({path: 'payload.json', ...input})

const ids = async (input: Partial<CheckInput> & {text: string}, options?: CheckOptions) =>
  (await check(input, options)).findings.map(({ruleId}) => ruleId)

const json = (value: unknown) => JSON.stringify(value)
const uuid = '6fbbd9b2-6a4c-4b6c-9a3d-1f6f5a0c7e11'

describe('deprecations · payloads', () => {
  it('judges a bare body by the request that sends it', async () => {
    const text = json({id: uuid, version: 2})
    expect(await ids({text}, {request: 'POST /orders'})).to.deep.equal(['orders-from-cart-id'])
    expect(await ids({text}, {request: 'POST /my-shop/in-store/key=paris/orders'})).to.deep.equal([
      'orders-from-cart-id',
    ])
    expect(await ids({text}, {request: 'post https://api.example.com/my-shop/orders?expand=cart'})).to.have.length(1)
    for (const request of ['POST /me/orders', 'POST /carts', 'GET /orders', 'POST /orders/1', 'nonsense', '']) {
      expect(await ids({text}, {request}), request).to.deep.equal([])
    }
    expect(await ids({text})).to.deep.equal([])
  })

  it('lets a known place decide against what the members look like', async () => {
    const text = json({actions: [{action: 'changeName', firstName: 'Ada'}]})
    expect(await ids({text})).to.deep.equal(['customers-change-name'])
    expect(await ids({text}, {request: 'POST /categories/1'})).to.deep.equal([])
    const bare = json({actions: [{action: 'changeName'}]})
    expect(await ids({text: bare}, {request: 'POST /customers/key=ada'})).to.deep.equal(['customers-change-name'])
    expect(await ids({text: bare}, {request: 'POST /me'})).to.deep.equal(['customers-change-name'])
    expect(await ids({text: bare})).to.deep.equal([])
  })

  it('tells the resource of an action by its neighbours', async () => {
    const actions = [{action: 'setVatId'}, {action: 'changeName', name: 'x'}]
    expect(await ids({text: json({actions})})).to.deep.equal(['customers-change-name'])
    expect(await ids({text: json(actions)})).to.deep.equal(['customers-change-name'])
    expect(await ids({text: json({actions: [{action: 'changeSlug'}, {action: 'changeName'}]})})).to.deep.equal([])
  })

  it('checks each element of a list and each line of JSON Lines as a body of its own', async () => {
    const body = {email: 'a@example.com', anonymousCartId: uuid}
    expect(await ids({text: json([body, {}, body])}, {request: 'POST /customers'})).to.have.length(2)
    const lines = await check({path: 'x.jsonl', text: `${json(body)}\n\nnot json\n${json(body)}\r\n`})
    expect(lines.findings.map(({line}) => line)).to.deep.equal([1, 4])
    expect(lines.notes).to.have.length(1)
    expect(lines.notes[0]).to.include({line: 3})
  })

  it('knows the old way to name a Type in every action that sets one', async () => {
    expect(await ids({text: json({action: 'setAddressCustomType', addressId: 'a', typeKey: 't'})})).to.have.length(1)
    expect(await ids({text: json({action: 'setLineItemCustomType', type: {typeId: 'type'}})})).to.deep.equal([])
    expect(await ids({text: json({action: 'setCustomType', type: {key: 't'}, typeKey: 't'})})).to.deep.equal([])
  })

  it('knows a transaction by its action or by its money', async () => {
    const type = 'CHARGE'
    const amount = {currencyCode: 'EUR', centAmount: 1}
    expect(await ids({text: json({actions: [{action: 'addTransaction', transaction: {type}}]})})).to.have.length(1)
    expect(await ids({text: json({transactions: [{type, amount}]})})).to.have.length(1)
    expect(await ids({text: json({transactions: [{type}]})}, {request: 'POST /payments'})).to.have.length(1)
    expect(await ids({text: json({transactions: [{type, amount: 1}]})})).to.deep.equal([])
  })

  it('does not mistake null for a use', async () => {
    const text = json({email: 'a@example.com', anonymousCartId: null, custom: {typeId: null}})
    expect(await ids({text})).to.deep.equal([])
  })

  it('finds what a GraphQL request says in its query and in its variables', async () => {
    const query =
      'mutation ($a: [ProductUpdateAction!]!) {\n  updateProduct(id: "1", version: 1, actions: $a) { id }\n}'
    const text = JSON.stringify({query, variables: {a: [{removePrice: {sku: 'a'}}]}}, undefined, 2)
    const {findings} = await check({text})
    expect(findings.map(({ruleId, line}) => `${line} ${ruleId}`)).to.deep.equal(['7 graphql-remove-product-price-sku'])
  })

  it('tells line and column inside texts that have escapes', async () => {
    const query = '{\n  category(id: "1") { productCount }\n}'
    const text = `{\n "query": ${json(query)}\n}`
    const {findings} = await check({text})
    const [found] = findings
    expect(text.split('\n')[1]?.slice((found?.column ?? 0) - 1)).to.match(/^productCount/)
    expect(found?.line).to.equal(2)
  })

  it('finds hosts, URLs and scopes in settings', async () => {
    const settings = {
      apiUrl: 'https://api.commercetools.co',
      authHost: 'auth.sphere.io',
      docs: 'https://docs.commercetools.com/api',
      oAuthScopes: {view: ['view_recurring_orders']},
      permissions: ['view_recurring_orders'],
    }
    expect(await ids({text: json(settings)})).to.deep.equal([
      'host-names-aliases',
      'host-names-aliases',
      'recurrence-policies-scopes',
    ])
  })

  it('notes what is no JSON instead of failing', async () => {
    for (const text of ['{', '{"a":}', '[1,', '{"a" 1}', '"\\q"', '', '"a', '{"a":1} x']) {
      const {findings, notes} = await check({text})
      expect(findings).to.deep.equal([])
      expect(notes[0]?.message, text).to.match(/^not JSON: /)
    }
  })

  it('lets comments and trailing commas pass, as settings have them', async () => {
    const text = '\uFEFF{\n  // a comment\n  "destination": {"type": "IronMQ",}, /* more */\n}'
    expect(await ids({path: 'x.jsonc', text})).to.deep.equal(['subscriptions-queue-destination'])
  })

  it('lets comments in the file decide what passes', async () => {
    const use = json({action: 'setSKU'})
    const found = (text: string) => ids({path: 'a.jsonc', text})
    expect(await found(`// frontdesk-ignore-next-line\n${use}`)).to.deep.equal([])
    expect(await found(`${use} // frontdesk-ignore-line products-set-sku-not-staged -- until May`)).to.deep.equal([])
    expect(await found(`// frontdesk-ignore-next-line -- not ours\n${use}`)).to.deep.equal([])
    expect(await found(`/* frontdesk-ignore-next-line import-sink */\n${use}`)).to.have.length(1)
    expect(await found(`// frontdesk-ignore-next-line\n\n${use}`)).to.have.length(1)
    const {notes} = await check({path: 'a.jsonc', text: `\n// frontdesk-ignore-line import-snk\n${use}`})
    expect(notes).to.deep.equal([{path: 'a.jsonc', line: 2, message: "no rule is called 'import-snk'"}])
  })

  it('knows the place of every character of a string, behind escapes and in a string inside a string', () => {
    const inner = '{"a\\t": "x\\u0041\\"y\tz"}'
    const text = `  ${JSON.stringify({body: inner})}`
    const root = readJson(fileText(text))
    const body = root.kind === 'object' ? root.members[0]?.value : undefined
    if (body?.kind !== 'text') throw new Error('no text')
    const nested = readJson(body)
    const [member] = nested.kind === 'object' ? nested.members : []
    expect(member?.name).to.equal('a\t')
    expect(member?.start).to.equal(text.indexOf('\\"a'))
    const value = member?.value
    if (value?.kind !== 'text') throw new Error('no text')
    expect(value.value).to.equal('xA"y\tz')
    const places = [...value.value].map((_, index) => text.slice(offsetAt(value, index)))
    for (const [index, begin] of ['x', '\\\\u0041', '\\\\\\"', 'y', '\\t', 'z'].entries()) {
      expect(places[index]?.startsWith(begin), `${index}: ${places[index]}`).to.equal(true)
    }
  })

  it('survives nesting and length', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect((await check({text: deep})).notes[0]?.message).to.match(/nested deeper/)
    expect((await check({text: `${' '.repeat(3_000_000)}1`})).notes).to.deep.equal([])
    expect((await check({text: `"${'x\\n'.repeat(500_000)}"`})).notes).to.deep.equal([])
  })
})

describe('deprecations · HTTP archives', () => {
  const entry = (request: object, headers: object[] = []) => ({request, response: {status: 200, headers}})
  const har = (...entries: object[]) => ({path: 'x.har', text: JSON.stringify({log: {entries}}, undefined, 1)})
  const base = 'https://api.europe-west1.gcp.commercetools.com/my-shop'

  it('knows the place of every body', async () => {
    const postData = {text: json({id: uuid, version: 1})}
    expect(await ids(har(entry({method: 'POST', url: `${base}/orders`, postData})))).to.deep.equal([
      'orders-from-cart-id',
    ])
    expect(await ids(har(entry({method: 'POST', url: 'https://shop.example.com/api/orders', postData})))).to.deep.equal(
      [],
    )
  })

  it('reads the scopes of a token request', async () => {
    const url = 'https://auth.europe-west1.gcp.commercetools.com/oauth/token'
    const text = 'grant_type=client_credentials&scope=view_recurring_orders%3Amy-shop%20view_orders%3Amy-shop'
    expect(await ids(har(entry({method: 'POST', url, postData: {text}})))).to.deep.equal(['recurrence-policies-scopes'])
    const params = [{name: 'scope', value: 'manage_recurring_orders:my-shop'}]
    expect(await ids(har(entry({method: 'POST', url, postData: {params}})))).to.have.length(1)
  })

  it('notes what the server itself called deprecated', async () => {
    const headers = [{name: 'x-deprecation-notice', value: 'no more'}]
    const {findings, notes} = await check(har(entry({method: 'GET', url: `${base}/carts`}, headers)))
    expect(findings).to.deep.equal([])
    expect(notes[0]?.message).to.equal('the server calls this request deprecated: no more')
  })

  it('is told by its shape too, and survives one that is none', async () => {
    const {text} = har(entry({method: 'GET', url: `${base}/custom-objects`}))
    expect(await ids({path: 'recording.json', text})).to.deep.equal(['custom-objects-query-all'])
    for (const log of [null, [], {entries: null}, {entries: [null, 1, {request: 1}, {request: {url: 1}}]}]) {
      expect(await ids({path: 'x.har', text: json({log})})).to.deep.equal([])
    }
  })
})

describe('deprecations · URLs', () => {
  const url = (text: string) => startCheck().url(text)
  const found = (text: string) => url(text).findings.map(({ruleId}) => ruleId)

  it('takes a person’s word that a URL is the platform’s', () => {
    expect(found('https://example.com/my-shop/carts?limit=1&customerId=1')).to.deep.equal(['carts-customer-id-query'])
    expect(found('/api/carts?customerId=1')).to.deep.equal(['carts-customer-id-query'])
    expect(found('/carts?customerId=1')).to.deep.equal(['carts-customer-id-query'])
    expect(found('/my-shop/carts/customer-id=1')).to.deep.equal([])
  })

  it('asks by GET unless a method stands before it', () => {
    expect(found('/my-shop/custom-objects')).to.deep.equal(['custom-objects-query-all'])
    expect(found('HEAD /my-shop/custom-objects')).to.deep.equal(['custom-objects-query-all'])
    expect(found('POST /my-shop/custom-objects')).to.deep.equal([])
    expect(found(`DELETE /my-shop/custom-objects/${uuid}?version=1`)).to.deep.equal(['custom-objects-by-id'])
    expect(found('GET /my-shop/custom-objects/wishlists')).to.deep.equal([])
  })

  it('decodes names and values', () => {
    expect(found('/my-shop/orders?where=lastMessageSequenceNumber%20%3E%203')).to.deep.equal([
      'orders-last-message-sequence-number',
    ])
    expect(found('/my-shop/carts?custome%72Id=1')).to.deep.equal(['carts-customer-id-query'])
    expect(found('/my-shop/carts?customerId%=1&x=%E0%A4%A')).to.deep.equal([])
  })

  it('sees several uses in one URL, and where they are', () => {
    const {findings} = url('https://api.sphere.io/my-shop/shipping-methods?country=DE&cartId=1&orderEditId=2')
    expect(findings.map(({column, ruleId}) => `${column} ${ruleId}`)).to.deep.equal([
      '9 host-names-aliases',
      '48 shipping-methods-location-query',
      '59 shipping-methods-cart-id-query',
      '68 shipping-methods-location-query',
    ])
  })

  it('survives what is no URL', () => {
    for (const text of ['', ' ', '?', '//', 'https://', 'https://[', '/%', 'GET', '://x/?y=%']) {
      expect(found(text), text).to.deep.equal([])
    }
  })
})
