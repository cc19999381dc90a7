// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source code in strings is what these tests are about

import {expect} from 'chai'
import {startCheck} from '../../src/deprecations/check/check.js'
import {branchesOf} from '../../src/deprecations/check/source/branch.js'
import {isLiteral, isTextLiteral, LiteralReader, textOf} from '../../src/deprecations/check/source/literal.js'
import {parseSource} from '../../src/deprecations/check/source/parse.js'
import {fileText, hole, offsetAt} from '../../src/deprecations/check/tree.js'

const branches = async (text: string, path = 'app.ts') => {
  const program = await parseSource(text, path)
  if ('message' in program) throw new Error(program.message)
  return [...branchesOf(program)]
}

const texts = async (text: string, path?: string) =>
  (await branches(text, path)).flatMap(({node}) => (isTextLiteral(node) ? [textOf(node, fileText(text))] : []))

const values = async (text: string, path?: string) => (await texts(text, path)).map(({value}) => value)

/** The trees of the outermost literals. */
const literals = async (text: string) => {
  const reader = new LiteralReader(fileText(text))
  return (await branches(text)).flatMap(({node}) => {
    const tree = isLiteral(node) && !reader.isSettled(node) ? reader.read(node) : undefined
    return tree ? [tree] : []
  })
}

const check = (text: string, path = 'app.ts') => startCheck().text({path, text})
const found = async (text: string, path?: string) =>
  (await check(text, path)).findings.map(({line, column, ruleId}) => `${line}:${column} ${ruleId}`)
const notes = async (text: string, path?: string) =>
  (await check(text, path)).notes.map(({line, message}) => `${line} ${message}`)

describe('deprecations · texts of source code', () => {
  it('leaves out comments and regular expressions and keeps strings', async () => {
    expect(await values('a /* "b" */ + "c // d" // "e"\n f')).to.deep.equal(['c // d'])
    expect(await values('x = /["\'`]/g.test(y); z = a / "b" / c')).to.deep.equal(['b'])
    expect(await values("<p title='don’t'>don't {'x'}</p>", 'a.tsx')).to.deep.equal(['don’t', 'x'])
  })

  it('reads escapes, with the place of what stands behind them', async () => {
    const source = "x = 'it\\'s' + \"\\u0041\\x42\\u{1F600}\\n\\\r\nz\""
    const [first, second] = await texts(source)
    expect([first?.value, second?.value]).to.deep.equal(["it's", 'AB\u{1F600}\nz'])
    if (!second) throw new Error('no text')
    expect(source.slice(offsetAt(second, 5))).to.equal('z"')
    expect(source.slice(offsetAt(second, 1))).to.match(/^\\x42/)
  })

  it('puts a hole where a template has an expression, and reads what is in that', async () => {
    expect(await values('`a${b + `${c}`}d${"}"}`')).to.deep.equal([`a${hole}d${hole}`, hole, '}'])
    expect(await values('`\\`\\${x}`')).to.deep.equal(['`${x}'])
    const source = '`a\r\n${b}c`'
    const [text] = await texts(source)
    expect(text && source.slice(offsetAt(text, text.value.indexOf('c')))).to.equal('c`')
  })
})

describe('deprecations · literals of source code', () => {
  it('reads what is written and leaves open what is not', async () => {
    const [node, inner] = await literals(
      "x = {a: 'x', 'b': [1, null, f(), {c: `y`}], d, ...rest, [key]: 1, m() { return {e: 1} }, get g() {}}",
    )
    if (node?.kind !== 'object') throw new Error('no object')
    expect(node.members.map(({name, value}) => `${name} ${value.kind}`)).to.deep.equal([
      'a text',
      'b array',
      'd other',
      'm other',
      'g other',
    ])
    expect(node.isOpen).to.equal(true)
    expect(inner?.kind === 'object' && inner.members[0]?.name).to.equal('e')
  })

  it('takes no block, type, pattern or schema for a literal', async () => {
    const none = [
      '{ f(); g() }',
      'let x: {a: string, b: "c"}',
      'type X = {a?: X}',
      '({a, b} = c)',
      'f(({a, b}) => a)',
      'x = {a: v.string()}',
      'x = {a: Text, b: optional(v.string())}',
      'x = {a: z.object({b: z.string()})}',
      'if (x) { y }',
    ]
    for (const text of none) expect(await literals(text), text).to.deep.equal([])
  })

  it('reads on behind type assertions', async () => {
    const [node] = await literals("x = {a: 'x' as const, b: {c: 1} satisfies C, d: <T>e}")
    expect(node?.kind === 'object' && node.members.map(({value}) => value.kind)).to.deep.equal([
      'text',
      'object',
      'other',
    ])
  })

  it('knows the places of what is typed, sent, or serialized', async () => {
    const draft = '{id: cart.id, version}'
    const uses = [
      `const d = <OrderFromCartDraft>${draft}`,
      `class A { draft: sdk.OrderFromCartDraft = ${draft} }`,
      `const f = (d: OrderFromCartDraft = ${draft}) => d`,
      `root.orders().post<Order>({body: ${draft}})`,
      `root!.orders()?.post({body: ${draft}} as const)`,
      `fetch('/my-shop/orders', {method: 'POST', body: JSON.stringify(a ? ${draft} : undefined)})`,
    ]
    for (const text of uses)
      expect(
        (await found(text)).map((one) => one.split(' ')[1]),
        text,
      ).to.deep.equal(['orders-from-cart-id'])
    const none = [
      `root.orders().post({body: convert(${draft})})`,
      `app.post('/my-shop/orders', () => { const d = ${draft} })`,
      `app.post('/my-shop/orders', function (d = ${draft}) {})`,
      `fetch('/my-shop/orders', {method, body: ${draft}})[${draft}]`.replace('method,', "method: 'GET',"),
    ]
    for (const text of none) expect(await found(text), text).to.deep.equal([])
  })

  it('does not take the method of the next statement for that of a request', async () => {
    const url = 'https://api.europe-west1.gcp.commercetools.com/x/shipping-methods?country=1'
    expect(await found(`fetch('${url}')\nfetch('/y', {method: 'POST'})`)).to.deep.equal([
      '1:74 shipping-methods-location-query',
    ])
  })
})

describe('deprecations · source code that the parser cannot read', () => {
  const use = "const u = 'https://api.sphere.io'"

  it('is read as plain text, and a note tells where the grammar ends', async () => {
    const text = `${use}\n\nconst = {{ name }}\n`
    expect(await notes(text)).to.deep.equal(['3 read as plain text: Unexpected token'])
    expect((await found(text)).map((one) => one.split(' ')[1])).to.deep.equal(['host-names-aliases'])
    for (const broken of ['f({', '}', '`', '`${', '"', '/', '/*', '\u0000\uD800']) {
      expect(await notes(`${use}\n${broken}`), broken).to.have.length(1)
    }
    for (const whole of [
      '',
      '#!/bin/sh',
      'return 1',
      'const a = 1; const a = 2',
      'await x; export {y}',
      '@d class A {}',
    ]) {
      expect(await notes(whole), whole).to.deep.equal([])
    }
  })

  it('is read with and without elements, whatever the name of the file says', async () => {
    expect(await values("const a = <b>'c'</b>; x = 'y'", 'a.ts')).to.deep.equal(['y'])
    expect(await values("const a = <B>'c'; const d = <T>(x: T) => x", 'a.js')).to.deep.equal(['c'])
  })

  it('is read as plain text where it is made to be slow', async () => {
    const hostile = [
      '{a('.repeat(100_000),
      '{a:'.repeat(100_000),
      `const a = ${'['.repeat(100_000)}`,
      'a=>'.repeat(100_000),
      "'a'+".repeat(100_000),
      '`${'.repeat(100_000),
      ' '.repeat(4_000_000),
      `gql\`query ${'{a'.repeat(50_000)}\``.repeat(15),
    ]
    for (const text of hostile) expect(await notes(text), text.slice(0, 20)).to.have.length(1)
  })

  it('takes few steps for many texts, literals and calls in one', async () => {
    const many = [
      `f(${"'x',".repeat(20_000)})`,
      `fetch('/a/carts', {${'a: [{}].b,'.repeat(5_000)}})`,
      `a${'.b({c: 1})'.repeat(10_000)}`,
      `x = '${'\\n'.repeat(100_000)}'`,
      `${`x = ${'{a:['.repeat(50)}${']}'.repeat(50)};`.repeat(50)}`,
    ]
    for (const text of many) expect(await notes(text), text.slice(0, 20)).to.deep.equal([])
  })

  it('stops the parser where it would take hours', async () => {
    expect(await notes(`${'{a:'.repeat(240)};${'}'.repeat(240)}`.repeat(200), 'a.js')).to.deep.equal([
      '1 read as plain text: takes too long to parse',
    ])
  })
})

describe('deprecations · components', () => {
  const use = "const a = {action: 'setSKU'}"

  it('have scripts, whose uses are found where they stand, and markup', async () => {
    const script = `<script lang="ts" setup>\n  const x = <T>y\n  ${use}\n</script>`
    const markup = '<template>\n  <a href="https://api.sphere.io">don\'t</a>\n</template>'
    const uses = ['3:23 products-set-sku-not-staged', '6:20 host-names-aliases']
    expect(await found(`${script}\n${markup}`, 'App.vue')).to.deep.equal(uses)
    expect(await found(`${script}\n${markup}`, 'App.svelte')).to.deep.equal(uses)
    const astro = `---\nimport x from 'y'\n${use}\n---\n<p>{x}</p><script>${use}</script>`
    expect(await found(astro, 'page.astro')).to.deep.equal([
      '3:21 products-set-sku-not-staged',
      '5:39 products-set-sku-not-staged',
    ])
  })

  it('may have scripts that are no JavaScript, or never end', async () => {
    const data = '<script type="application/ld+json">{"a": }</script>'
    expect(await notes(`${data}<SCRIPT type='module'>${use}</SCRIPT >`, 'a.vue')).to.deep.equal([])
    const url = 'https://api.us-central1.gcp.commercetools.com/my-shop/custom-objects'
    const two = `<script>get = fetch</script><script>('${url}')</script>`
    expect(await found(two, 'a.svelte')).to.deep.equal([])
    expect(await found(two.replace('</script><script>', ''), 'a.svelte')).to.have.length(1)
    for (const open of ['<script>', '<script "', '<script', '---\n', "<script a='>'>{</script>".repeat(2)]) {
      await check(open.repeat(20_000 / open.length), 'a.astro')
    }
    expect(await notes(`<p/>\n<script>\nf({\n</script>`, 'a.vue')).to.deep.equal([
      '4 read as plain text: Unexpected token',
    ])
  })
})
