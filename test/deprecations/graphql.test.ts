import {expect} from 'chai'
import {startCheck} from '../../src/deprecations/check/check.js'

const check = (text: string) => startCheck().text({path: 'q.graphql', text})

const ids = async (text: string) => (await check(text)).findings.map(({ruleId}) => ruleId)

describe('deprecations · GraphQL', () => {
  it('follows fields, whatever they are called in the answer', async () => {
    expect(await ids('{ mine: cart(id: "1") { raw: customFieldsRaw { name } } }')).to.deep.equal([
      'graphql-cart-custom-fields-raw',
    ])
    expect(await ids('{ customFieldsRaw: carts { productCount: total } }')).to.deep.equal([])
  })

  it('goes through fragments by the type that they stand on', async () => {
    expect(await ids('fragment F on Category { children { parent { productCount } } }')).to.have.length(1)
    expect(await ids('{ inventoryEntries { ... { results { customFields { name } } } } }')).to.have.length(1)
    expect(await ids('{ order(id: "1") { ... on Reference { customFields } } }')).to.deep.equal([])
    expect(await ids('fragment F on Query { channel(id: "1") { typeId } }')).to.deep.equal(['graphql-channel-type-id'])
    expect(await ids('fragment F on MyPayment { amountPaid { centAmount } }')).to.have.length(1)
  })

  it('stands on a page until its results', async () => {
    expect(await ids('{ shippingMethods { results { description } } }')).to.have.length(1)
    expect(await ids('{ shippingMethods { description } }')).to.deep.equal([])
    expect(await ids('{ channels { edges { typeId } } }')).to.deep.equal([])
  })

  it('knows the customer’s own view and stores', async () => {
    const text = '{ me { activeCart { lineItems { discountedPrice { value { centAmount } } } } } }'
    expect(await ids(text)).to.deep.equal(['carts-discounted-price'])
    expect(await ids('{ inStore(key: "paris") { order(id: "1") { lastMessageSequenceNumber } } }')).to.have.length(1)
    expect(
      await ids('mutation { inStore(key: "p") { updateCart(id: "1") { customFields { name } } } }'),
    ).to.have.length(1)
  })

  it('reads what mutations are given', async () => {
    expect(
      await ids('mutation { customerSignMeUp(draft: {email: "a", anonymousCartId: "1"}) { cart { id } } }'),
    ).to.eql(['customers-anonymous-cart-id'])
    expect(await ids('mutation { updateProduct(actions: [{removePrice: {priceId: "1"}}]) { id } }')).to.deep.equal([])
    expect(await ids('mutation M($d: CustomerSignUpDraft!) { customerSignUp(draft: $d) { cart { id } } }')).to.eql([])
    expect(await ids('mutation { updateProduct(actions: {removePrice: {sku: "a"}}) { id } }')).to.have.length(1)
    expect(await ids('{ customer(draft: {anonymousCartId: "1"}) { id } }')).to.deep.equal([])
  })

  it('passes over schemas', async () => {
    const schema =
      'type Customer { customFieldsRaw: [X!] }\nenum SimpleAssociateRole { Admin }\ninput A { sku: String }'
    expect(await check(schema)).to.deep.include({findings: [], notes: []})
  })

  it('takes comments that let a line pass', async () => {
    const text = '{\n  # frontdesk-ignore-next-line graphql-category-product-count\n  category { productCount }\n}'
    expect(await ids(text)).to.deep.equal([])
  })

  it('notes what is no document, and where', async () => {
    const {findings, notes} = await check('query {\n  cart(id: ) { id }\n}')
    expect(findings).to.deep.equal([])
    expect(notes[0]).to.include({line: 2, isUnread: true})
    expect(notes[0]?.message).to.match(/^not GraphQL: Syntax Error/)
    for (const text of ['', '{', '{'.repeat(100_000), `{a${'(b:['.repeat(5000)}`]) {
      expect((await check(text)).notes, text.slice(0, 9)).to.have.length(1)
    }
  })

  it('tells the place in a document inside a body inside an archive', async () => {
    const query = '# "two"\n{\n\tcategory(id: "1") { productCount }\n}'
    const body = JSON.stringify({query})
    const url = 'https://api.us-central1.gcp.commercetools.com/my-shop/graphql'
    const request = {method: 'POST', url, postData: {text: body}}
    const text = JSON.stringify({log: {entries: [{request}]}}, undefined, 1)
    const {findings} = await startCheck().text({path: 'x.har', text})
    expect(findings).to.have.length(1)
    const [found] = findings
    expect(text.split('\n')[(found?.line ?? 0) - 1]?.slice((found?.column ?? 0) - 1)).to.match(/^productCount \}/)
  })
})

describe('deprecations · scopes of GraphQL', () => {
  const run = async (scopes: readonly string[], ...documents: readonly string[]) => {
    const runCheck = startCheck()
    for (const [index, text] of scopes.entries()) await runCheck.scopes(text, `app/${index}.env`)
    for (const text of documents) await runCheck.text({path: 'app/q.graphql', text})
    return runCheck.finish().flatMap(({findings}) => findings.map(({path, ruleId}) => `${path} ${ruleId}`))
  }
  const states = '{ states { total } }'

  it('needs both the old scope and the operation', async () => {
    expect(await run(['view_orders:p'], states)).to.deep.equal(['app/0.env graphql-scope-state-query'])
    expect(await run(['view_orders:p'])).to.deep.equal([])
    expect(await run([], states)).to.deep.equal([])
    expect(await run(['view_products:p'], states)).to.deep.equal([])
    expect(await run(['view_orders:p'], '{ orders { results { state { key } } } }')).to.deep.equal([])
  })

  it('is content with any client that may', async () => {
    for (const scope of ['view_states:p', 'manage_states:p', 'manage_project:p']) {
      expect(await run([`view_orders:p ${scope}`], states), scope).to.deep.equal([])
      expect(await run(['view_orders:p', scope], states), scope).to.deep.equal([])
    }
  })

  it('tells queries from mutations, and names one list only', async () => {
    const clean = 'mutation { deleteState(id: "1", version: 1) { id } }'
    expect(await run(['view_orders:p manage_orders:p', 'manage_orders:q'], clean)).to.deep.equal([
      'app/0.env graphql-scope-state-mutation',
    ])
  })
})
