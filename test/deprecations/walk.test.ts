import {chmod, mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {expect} from 'chai'
import {type CheckResult, startCheck} from '../../src/deprecations/check/check.js'
import {kindOf} from '../../src/deprecations/check/kind.js'
import {checkPaths, UnreadablePath} from '../../src/deprecations/check/walk.js'

const use = '{"action": "setSKU"}'

describe('deprecations · files', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'frontdesk-deprecations-'))
  })

  afterEach(() => rm(folder, {recursive: true, force: true}))

  const put = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, path)), {recursive: true})
    await writeFile(join(folder, path), content)
  }

  const walked = async (paths = [folder]) => {
    const all: CheckResult[] = []
    for await (const checked of checkPaths(startCheck(), paths, folder)) all.push(checked)
    return all
  }

  const pathsOf = (all: readonly CheckResult[]) => all.map(({path}) => path)

  it('checks what it can read, in order, and passes over what is not the project’s own', async () => {
    await put('b/z.json', use)
    await put('b/a.http', 'GET /shop/carts')
    await put('a.jsonl', use)
    for (const path of ['node_modules/x/a.json', '.git/a.json', 'b/node_modules/a.json', 'package-lock.json']) {
      await put(path, use)
    }
    await put('x.js', use)
    await put('README.md', use)
    await put('photo.png', use)
    const all = await walked()
    expect(pathsOf(all)).to.deep.equal(['a.jsonl', 'b/a.http', 'b/z.json'])
    expect(all.flatMap(({findings}) => findings.map(({path}) => path))).to.deep.equal(['a.jsonl', 'b/z.json'])
  })

  it('checks a named file whatever it is called', async () => {
    await put('payload', use)
    await put('.env.staging', 'URL=https://auth.sphere.io')
    expect((await walked([join(folder, 'payload')]))[0]?.findings).to.have.length(1)
    expect((await walked([folder]))[0]?.findings).to.have.length(1)
  })

  it('notes what is too large or binary, and goes on', async () => {
    await put('big.json', use.padEnd(6_000_000))
    await put('bin.env', Buffer.from([1, 0, 2]))
    await put('ok.json', use)
    const all = await walked()
    expect(all.flatMap(({notes}) => notes)).to.deep.equal([
      {path: 'big.json', message: 'larger than 5 MiB, not checked', isUnread: true},
      {path: 'bin.env', message: 'binary, not checked', isUnread: true},
    ])
    expect(all.at(-1)?.findings).to.have.length(1)
  })

  it('counts what was read, and refuses a script by its name', async () => {
    await put('a.har', JSON.stringify({log: {entries: [{request: {url: '/shop/carts'}}, {}]}}))
    await put('b.jsonl', `${use}\n\nno\n${use}`)
    await put('c.json', '[]')
    await put('d.env', '  ')
    await put('e.json', '[1, 2, 3]')
    await put('f.graphql', '{')
    await put('g.graphql', '{customers {total}}')
    await put('h.env', 'A=b')
    const all = await walked()
    expect(all.map(({entries}) => entries)).to.deep.equal([1, 2, 0, 0, 3, 0, 1, 1])
    expect(all.filter(({isFile}) => isFile).map(({path}) => path)).to.deep.equal([
      ...['a.har', 'b.jsonl', 'e.json', 'g.graphql', 'h.env'],
    ])
    for (const name of ['a.ts', 'b.mjs', 'App.vue']) {
      await put(name, use)
      const error = await walked([join(folder, name)]).catch((thrown: unknown) => thrown)
      expect((error as Error).message).to.match(/JavaScript and TypeScript are not read$/)
    }
  })

  it('follows no link, so that no circle catches it', async () => {
    await put('a/b.json', use)
    await symlink(folder, join(folder, 'a', 'loop'))
    expect(pathsOf(await walked())).to.deep.equal(['a/b.json'])
  })

  it('refuses a path that is not there before it checks any other', async () => {
    await put('a.json', use)
    const checks = walked([join(folder, 'a.json'), join(folder, 'gone')])
    const error = await checks.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).to.be.instanceOf(UnreadablePath)
    expect((error as Error).message).to.match(/gone: no such file or folder$/)
  })

  it('refuses a named file that is not what its name says', async () => {
    await put('a.json', '{')
    await put('b.graphql', 'query {')
    expect((await walked()).map(({notes}) => notes[0]?.isUnread)).to.deep.equal([true, true])
    for (const name of ['a.json', 'b.graphql']) {
      const error = await walked([join(folder, name)]).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).to.be.instanceOf(UnreadablePath)
    }
  })

  it('notes a folder that it may not read', async function () {
    if (process.getuid?.() === 0) this.skip()
    await put('shut/a.json', use)
    await put('z.json', use)
    await chmod(join(folder, 'shut'), 0)
    const all = await walked()
    await chmod(join(folder, 'shut'), 0o700)
    expect(all.map(({notes}) => notes.length)).to.deep.equal([1, 0])
  })

  it('tells the kind of a text that has no name', () => {
    const kinds: readonly (readonly [string, string])[] = [
      ['{"a": 1}', 'json'],
      ['\uFEFF [1]', 'json'],
      ['{"a": 1}\n{"a": 2}\n', 'jsonl'],
      ['query { carts { total } }', 'graphql'],
      ['{ cart(id: "1") { id } }', 'graphql'],
      ['CTP_SCOPES=view_orders:a', 'text'],
      ['https://api.example.com', 'text'],
      ['', 'text'],
    ]
    for (const [text, kind] of kinds) expect(kindOf('-', text), text).to.equal(kind)
    expect(kindOf('C:\\shop\\q.GraphQL', '')).to.equal('graphql')
    expect(kindOf('shop.d/.env.local', '')).to.equal('text')
  })

  it('does not mistake a link or another service for the platform', async () => {
    const clean = [
      'GET https://shop.example.com/api/carts?customerId=1',
      'GET /en/orders?sort=lastMessageSequenceNumber',
      'GET /api/v1/shipping-methods?country=DE',
      'see https://docs.commercetools.com/api/projects/carts?customerId=1#x',
      'permissions=view_recurring_orders',
    ]
    for (const text of clean) expect((await startCheck().text({path: 'a.http', text})).findings, text).to.deep.equal([])
  })
})
