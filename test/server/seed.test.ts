import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import type {ApiClient} from '../../src/api/documents/api-client.js'
import {ApiError} from '../../src/domain/errors.js'
import {allScopes} from '../../src/oauth/scopes.js'
import type {OpenedRuntime} from '../../src/server/local/runtime.js'
import {openRuntime} from '../../src/server/local/runtime.js'
import {extendProject, seedFromFolder, seedProject} from '../../src/server/local/seed.js'
import {readSeedPack, seedPackOf} from '../../src/server/local/seed-pack.js'
import {type Document, REALM, VersionConflict} from '../../src/store/store.js'

describe('server · seed packs', () => {
  let folder: string
  let runtime: OpenedRuntime
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-seed-'))
    runtime = await openRuntime({dataDir: ':memory:', writer: 'server', settings: {passwordCost: 4}})
  })
  afterEach(() => rmSync(folder, {recursive: true, force: true}))

  const file = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  const seed = async (projectKey = 'shop') =>
    seedProject(runtime, projectKey, await readSeedPack(folder, runtime.secrets.uuid))
  const refusal = async (): Promise<string> => {
    try {
      await seed()
    } catch (error) {
      expect(error).to.be.instanceOf(ApiError)
      expect((error as ApiError).code).to.equal('InvalidSetup')
      expect(await runtime.state.get(REALM, 'project', 'shop')).to.equal(undefined)
      return (error as ApiError).message
    }
    throw new Error('the pack was taken')
  }
  const customer = {id: 'c-1', version: 7, email: 'a@example.com', addresses: [{id: 'a-1', country: 'DE'}]}

  it('refuses a folder without any file of a pack', async () => {
    file('passwd', 'not ours')
    expect(await refusal())
      .to.include('is no seed pack')
      .and.to.include('customers.json')
  })

  it('refuses what is no file, never ends, or is larger than memory', async function () {
    if (process.platform === 'win32') return this.skip()
    file('project.json', {key: 'shop'})
    const path = join(folder, 'customers.json')
    const ways = [
      () => mkdirSync(path),
      () => execFileSync('mkfifo', [path]),
      () => symlinkSync('/dev/zero', path),
      () => symlinkSync('nowhere', path),
    ]
    for (const make of ways) {
      make()
      expect(await refusal()).to.equal('customers.json: no file that can be read')
      rmSync(path, {recursive: true})
    }
    file('customers.json', '[]')
    truncateSync(path, 2 ** 33)
    expect(await refusal()).to.equal('customers.json: more than 268435456 bytes')
  })

  it('leaves a project alone that has something, whether its indexes can be read now or not', async () => {
    file('customers.json', [customer])
    await seed()
    const {query} = runtime.state
    Object.assign(runtime.state, {
      query: (...asked: Parameters<typeof query>) => {
        if (asked[2].limit > 0) throw new Error('an index is being made again')
        return query.apply(runtime.state, asked)
      },
    })
    expect(await seed()).to.deep.equal({seeded: false, counts: {}})
  })

  it('keeps resources as given, with ids, versions, extra members and dangling references', async () => {
    const store = {id: 's-1', version: 3, key: 'berlin', extra: {kept: true}}
    file('stores.json', [store])
    file('customers.json', [{...customer, customerGroup: {typeId: 'customer-group', id: 'nowhere'}}])
    file('notes.txt', 'not ours')
    expect(await seed()).to.deep.equal({seeded: true, counts: {customer: 1, store: 1}})
    expect(await runtime.state.find('shop', 'store', 'key:berlin')).to.deep.equal(store)
    const stored = await runtime.state.get<Document>('shop', 'customer', 'c-1')
    expect(stored).to.deep.include({...customer, customerGroup: {typeId: 'customer-group', id: 'nowhere'}})
    expect(stored).to.deep.include({stores: [], isEmailVerified: false, authenticationMode: 'Password'})
  })

  it('gives a shipping method that names no stores the empty list that replies have', async () => {
    const stores = [{typeId: 'store', key: 'berlin'}]
    file('shipping-methods.json', [{id: 'everywhere'}, {id: 'berlin', stores}])
    await seed()
    expect(await runtime.state.get('shop', 'shipping-method', 'everywhere')).to.deep.include({stores: []})
    expect(await runtime.state.get('shop', 'shipping-method', 'berlin')).to.deep.include({stores})
  })

  it('keeps only digests of secrets', async () => {
    file('customers.json', [{...customer, password: 'plain secret'}])
    file('api-clients.json', [{id: 'client', name: 'x', scope: 'view_customers:shop', secret: 'client secret'}])
    await seed()
    const kept = [
      await runtime.state.get('shop', 'customer', 'c-1'),
      await runtime.state.get('shop', 'credential', 'c-1'),
      await runtime.state.get(REALM, 'api-client', 'client'),
    ]
    expect(JSON.stringify(kept)).to.not.contain('plain secret').and.not.contain('client secret')
    expect(JSON.stringify(kept[1])).to.contain('$2')
  })

  it('seeds the built-in pack into as many projects as there are, each with clients of its own', async () => {
    for (const key of ['demo', 'other', 'third'])
      expect((await seedFromFolder(runtime, key, 'demo')).seeded).to.equal(true)
    const client = await runtime.state.get<ApiClient>(REALM, 'api-client', 'other-admin-0000000000001')
    expect(client).to.include({projectKey: 'other', scope: allScopes('other').join(' ')})
  })

  it('adds nothing to a project if its clients cannot be stored', async () => {
    file('project.json', {})
    await seed()
    const {commit} = runtime.state
    Object.assign(runtime.state, {
      commit: async (...given: Parameters<typeof commit>) => {
        if (given[0] === REALM) throw new VersionConflict('api-client', 'late', 0, 1)
        await commit.apply(runtime.state, given)
      },
    })
    const clients = [{id: 'late', scope: 'view_customers:shop', secret: 'x'}]
    const pack = await seedPackOf({'api-clients': clients, stores: [{id: 's-1', key: 'late'}]}, runtime.secrets.uuid)
    const error = await extendProject(runtime, 'shop', pack).catch((caught: Error) => caught)
    expect(error).to.have.property('message').that.includes('nothing was added')
    expect(await runtime.state.get('shop', 'store', 's-1')).to.equal(undefined)
  })

  it('fills a project that exists and is empty, and leaves one alone that has something in it', async () => {
    file('project.json', {})
    await seed()
    file('customers.json', [customer])
    expect(await seed()).to.have.property('seeded', true)
    expect(await runtime.state.get('shop', 'customer', 'c-1')).to.have.property('id', 'c-1')
    file('customers.json', [{...customer, id: 'c-2', key: 'other', email: 'other@post.example'}])
    expect(await seed()).to.deep.equal({seeded: false, counts: {}})
    expect(await runtime.state.get('shop', 'customer', 'c-2')).to.equal(undefined)
  })

  it('takes up what an interrupted seeding left', async () => {
    file('customers.json', [customer])
    await runtime.state.commit('shop', [{kind: 'customer', expect: 0, doc: {id: 'c-1', version: 2}}])
    expect((await seed()).seeded).to.equal(true)
    expect(await runtime.state.get('shop', 'customer', 'c-1')).to.include({version: 7})
  })

  const bad: [string, string, unknown, RegExp][] = [
    ['broken JSON', 'stores.json', '[{"id": ', /^stores\.json: /],
    ['an object for an array', 'stores.json', {}, /^stores\.json: expected Array, received Object$/],
    ['a customer without an email', 'customers.json', [customer, {id: 'c-2'}], /^customers\.json\[1\]: email: /],
    ['an email that is none', 'customers.json', [{id: 'x', email: ' nope'}], /^customers\.json\[0\]: email: ' nope'/],
    ['a key outside the pattern', 'customers.json', [{...customer, key: 'a b'}], /^customers\.json\[0\]: key: 'a b'/],
    [
      'two customers of one email',
      'customers.json',
      [customer, {...customer, id: 'c-2', email: 'A@example.com'}],
      /\[1\]: There is already/,
    ],
    [
      'two resources of one key',
      'stores.json',
      [
        {id: 'a', key: 'same'},
        {id: 'b', key: 'same'},
      ],
      /^stores\.json\[1\]: key: 'same' stands twice/,
    ],
    [
      'a field that has two types',
      'types.json',
      ['Date', 'Number'].map((name) => ({
        ...{id: name, key: name, version: 1, resourceTypeIds: ['customer']},
        fieldDefinitions: [{name: 'since', type: {name}}],
      })),
      /^The field 'since' has another type in the type 'Date' for the same resources\.$/,
    ],
    ['a version of text', 'stores.json', [{id: 'a', version: '1'}], /^stores\.json\[0\]: version: /],
    [
      'a hash that is none',
      'customers.json',
      [{...customer, passwordHash: 'x'}],
      /\[0\]: passwordHash: It must be a bcrypt hash/,
    ],
    ['a client without a secret', 'api-clients.json', [{id: 'a', scope: 'x'}], /^api-clients\.json\[0\]: secret: /],
    ['a poisoned member', 'stores.json', '[{"id":"a","__proto__":{"x":1}}]', /__proto__/],
    ['languages that are no list', 'project.json', {languages: 'de'}, /^project\.json: languages: /],
    ['the key of another project', 'project.json', {key: 'other'}, /for 'other', not for 'shop'/],
  ]
  for (const [what, name, content, message] of bad) {
    it(`refuses ${what} and stores nothing`, async () => {
      file('tax-categories.json', [{id: 't', version: 1}])
      file(name, content)
      expect(await refusal()).to.match(message)
      expect(await runtime.state.get('shop', 'tax-category', 't')).to.equal(undefined)
    })
  }
})
