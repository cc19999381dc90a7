import {expect} from 'chai'
import {type Answer, acted, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'

describe('api · customer search', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })
  afterEach(() => desk.runtime.state.close())

  const search = (body: object, token?: string): Promise<Answer> =>
    desk.ask('POST', '/customers/search', {body, ...(token ? {token} : {})})
  const found = async (query: object, more: object = {}): Promise<string[]> => {
    const {status, body} = await search({query, ...more})
    expect(status, JSON.stringify(body)).to.equal(200)
    const customers = (await desk.ask('GET', '/customers?limit=500')).body.results
    return body.results.map(({id}: Body) => customers.find((one: Body) => one.id === id).key ?? id)
  }
  const switchTo = async (status: string): Promise<Answer> => {
    const {version} = (await desk.ask('GET', '')).body
    return desk.ask('POST', '', {body: {version, actions: [{action: 'changeCustomerSearchStatus', status}]}})
  }

  it('answers ids with their relevance, a page and a total, everybody without a query', async () => {
    const {status, body} = await search({limit: 2, offset: 1})
    expect(status).to.equal(200)
    expect(body).to.include({limit: 2, offset: 1})
    expect(body.results).to.have.length(2)
    expect(Object.keys(body.results[0])).to.have.members(['id', 'relevance'])
    const all = (await desk.ask('GET', '/customers?limit=0')).body.total
    expect(body.total).to.equal(all)
    expect((await search({})).body).to.include({limit: 20, offset: 0, total: all})
  })

  it('finds by each simple expression', async () => {
    const address = {country: 'DE', city: 'Bad Urach', phone: '+49 (0)7125 5550', streetName: 'Ermsweg'}
    await signedUp(desk, {
      key: 'vera',
      email: 'vera.quillfeather@example.com',
      firstName: 'Vera',
      lastName: 'Quillfeather-Müller',
      dateOfBirth: '1984-02-29',
      customerNumber: 'D-7777',
      addresses: [address],
    })
    for (const [query, isFound] of [
      [{exact: {field: 'customerNumber', value: 'D-7777'}}, true],
      [{exact: {field: 'customerNumber', value: 'd-7777'}}, false],
      [{exact: {field: 'customerNumber', value: 'd-7777', caseInsensitive: true}}, true],
      [{exact: {field: 'dateOfBirth', values: ['1999-01-01', '1984-02-29']}}, true],
      [{exact: {field: 'addresses.streetName', value: 'Ermsweg'}}, true],
      [{exact: {field: 'fullName', value: 'Vera Quillfeather-Müller'}}, true],
      [{prefix: {field: 'addresses.city', value: 'Bad U'}}, true],
      [{prefix: {field: 'addresses.city', value: 'bad u'}}, false],
      [{prefix: {field: 'email', value: 'VERA.Q', caseInsensitive: true}}, true],
      [{wildcard: {field: 'lastName', value: 'Quill*M?ller'}}, true],
      [{wildcard: {field: 'lastName', value: 'Quill*M?'}}, false],
      [{wildcard: {field: 'addresses.phone', value: '*7125*5550*'}}, true],
      [{fullText: {field: 'lastName', value: 'mueller QUILLFEATHER'}}, true],
      [{fullText: {field: 'lastName', value: 'quill'}}, false],
      [{fullText: {field: 'all', value: 'vera nobody', mustMatch: 'any'}}, true],
      [{fullText: {field: 'all', value: 'vera nobody'}}, false],
      [{fullTextPrefix: {field: 'all', value: 'qui ver ura'}}, true],
      [{fullTextPrefix: {field: 'firstName', value: 'qui'}}, false],
      [{fuzzy: {field: 'all', value: 'quilfaether', level: 2}}, false],
      [{fuzzy: {field: 'all', value: 'quilfeathr', level: 2}}, true],
      [{fuzzy: {field: 'firstName', value: 'wera', level: 2}}, true],
      [{fuzzy: {field: 'firstName', value: 'wera', level: 0}}, false],
      [{range: {field: 'dateOfBirth', gte: '1984-02-29', lt: '1984-03-01'}}, true],
      [{range: {field: 'dateOfBirth', gt: '1984-02-29'}}, false],
      [{range: {field: 'version', lte: 1}}, true],
      [{range: {field: 'createdAt', gt: '2026-11-20T09:59:59Z'}}, true],
      [{exists: {field: 'customerNumber'}}, true],
      [{exists: {field: 'vatId'}}, false],
      [{exists: {field: 'addresses'}}, true],
    ] as const) {
      expect(
        (await found({and: [query, {exact: {field: 'key', value: 'vera'}}]})).length,
        JSON.stringify(query),
      ).to.equal(isFound ? 1 : 0)
      const alone = await found(query, {limit: 100})
      expect(alone.includes('vera'), `alone: ${JSON.stringify(query)}`).to.equal(isFound)
    }
  })

  it('combines expressions, and sorts by fields', async () => {
    for (const [key, lastName, dateOfBirth] of [
      ['one', 'Tidewater', '1990-01-01'],
      ['two', 'Tidewater', '1970-01-01'],
      ['three', 'Tidewater', undefined],
    ]) {
      await signedUp(desk, {key, lastName, ...(dateOfBirth ? {dateOfBirth} : {})})
    }
    const tidewaters = {fullText: {field: 'lastName', value: 'tidewater'}}
    const born = {exists: {field: 'dateOfBirth'}}
    expect(await found({and: [tidewaters, {not: [born]}]})).to.deep.equal(['three'])
    expect(await found({filter: [tidewaters, born]})).to.have.members(['one', 'two'])
    expect(
      await found({or: [{exact: {field: 'key', value: 'one'}}, {exact: {field: 'key', value: 'two'}}]}),
    ).to.have.members(['one', 'two'])
    const by = (order: string) => found(tidewaters, {sort: [{field: 'dateOfBirth', order}]})
    expect(await by('asc')).to.deep.equal(['two', 'one', 'three'])
    expect(await by('desc')).to.deep.equal(['three', 'one', 'two'])
  })

  it('puts who is identified first, then names, then what begins so, then the rest, then what is misheard', async () => {
    await signedUp(desk, {key: 'misheard', lastName: 'Smidt'})
    await signedUp(desk, {key: 'company', companyName: 'Oxbow and Smitt'})
    await signedUp(desk, {key: 'begins', lastName: 'Smittenson'})
    await signedUp(desk, {key: 'whole', firstName: 'Anna', lastName: 'Smitt'})
    await signedUp(desk, {key: 'smitt', lastName: 'Young'})
    const value = 'smitt'
    const query = {
      or: [
        {exact: {field: 'key', value, boost: 10}},
        {fullTextPrefix: {field: 'all', value, boost: 4}},
        {fuzzy: {field: 'all', value, level: 2}},
      ],
    }
    expect(await found(query)).to.deep.equal(['smitt', 'whole', 'begins', 'company', 'misheard'])
  })

  it('puts the one that was changed last first among equals', async () => {
    const [first, second] = [
      await signedUp(desk, {key: 'first', lastName: 'Quartermain'}),
      await signedUp(desk, {key: 'second', lastName: 'Quartermain'}),
    ]
    const query = {fullText: {field: 'all', value: 'quartermain'}}
    desk.clock.now += 1_000
    await acted(desk, first, {action: 'setSalutation', salutation: 'Ms'})
    expect(await found(query)).to.deep.equal(['first', 'second'])
    desk.clock.now += 1_000
    await acted(desk, second, {action: 'setSalutation', salutation: 'Mr'})
    expect(await found(query)).to.deep.equal(['second', 'first'])
  })

  it('knows stores, groups by id and key, and custom fields', async () => {
    const {body: group} = await desk.ask('POST', '/customer-groups', {body: {key: 'golden', groupName: 'Golden'}})
    const customer = await signedUp(desk, {
      key: 'gold',
      stores: [{typeId: 'store', key: 'berlin'}],
      customerGroup: {typeId: 'customer-group', key: 'golden'},
    })
    for (const [field, value] of [
      ['stores.key', 'berlin'],
      ['customerGroup.id', group.id],
      ['customerGroup.key', 'golden'],
      ['authenticationMode', customer.authenticationMode],
      ['isEmailVerified', false],
      ['version', 1],
    ]) {
      expect(
        await found({and: [{exact: {field, value}}, {prefix: {field: 'key', value: 'gol'}}]}),
        String(field),
      ).to.deep.equal(['gold'])
    }
    expect(await found({prefix: {field: 'customerGroup.key', value: 'gold'}})).to.include('gold')
  })

  it('refuses what is ill-formed, and names it', async () => {
    const deep = Array.from({length: 51}, () => ({exists: {field: 'key'}}))
    for (const [query, named] of [
      [{exactly: {}}, 'exactly'],
      [{exact: {field: 'key', value: 'a'}, prefix: {field: 'key', value: 'a'}}, 'exact, prefix'],
      [{}, 'one member'],
      [{exact: {field: 'nickname', value: 'a'}}, 'nickname'],
      [{exact: {field: 'lowercaseEmail', value: 'a'}}, 'lowercaseEmail'],
      [{exact: {field: 'constructor', value: 'a'}}, 'constructor'],
      [{exact: {field: 'all', value: 'a'}}, 'all'],
      [{exact: {value: 'a'}}, 'field'],
      [{exact: {field: 'key'}}, 'key'],
      [{exact: {field: 'version', value: 'a'}}, 'version'],
      [{prefix: {field: 'key', value: 3}}, 'key'],
      [{fullText: {field: 'all', value: 'x'.repeat(257)}}, '256'],
      [{fuzzy: {field: 'all', value: 'x'}}, 'level'],
      [{fuzzy: {field: 'all', value: 'x', level: 3}}, 'level'],
      [{range: {field: 'dateOfBirth'}}, 'gte'],
      [{range: {field: 'dateOfBirth', gte: 'soon'}}, 'dateOfBirth'],
      [{range: {field: 'lastName', gte: 'a'}}, 'lastName'],
      [{and: {exists: {field: 'key'}}}, 'and'],
      [{or: []}, 'or'],
      [{or: deep}, '50'],
      [{exact: {field: 'custom.fields.x', value: 'a', fieldType: 'colour'}}, 'colour'],
    ] as const) {
      const answer = await search({query})
      expect(answer.status, JSON.stringify(query)).to.equal(400)
      expect(errorOf(answer).code).to.equal('InvalidInput')
      expect(errorOf(answer).message, JSON.stringify(query)).to.include(named)
    }
    for (const page of [{limit: 0}, {limit: 101}, {offset: -1}, {offset: 9_901}, {limit: 1.5}]) {
      expect(errorOf(await search(page)).code, JSON.stringify(page)).to.equal('InvalidInput')
    }
  })

  it('is switched off and on by an update of the project, and tells how far its index is', async () => {
    const status = async () => (await desk.ask('GET', '/customers/search/indexing-status')).body
    expect((await desk.ask('HEAD', '/customers/search')).status).to.equal(200)
    expect((await status()).status).to.equal('Ready')
    const {body} = await switchTo('Deactivated')
    expect(body.searchIndexing.customers).to.deep.include({
      status: 'Deactivated',
      lastModifiedAt: '2026-11-20T10:00:00.000Z',
    })
    expect(body.searchIndexing.customers.lastModifiedBy).to.have.property('clientId')
    expect((await status()).status).to.equal('Scheduled')
    expect((await desk.ask('HEAD', '/customers/search')).status).to.equal(409)
    expect(errorOf(await search({})).code).to.equal('SearchNotReady')
    expect((await search({})).status).to.equal(409)
    expect((await switchTo('Deactivated')).body.version).to.equal(body.version)
    await switchTo('Activated')
    expect((await search({})).status).to.equal(200)
  })

  it('sees a change and a deletion with the answer of the write', async () => {
    const customer = await signedUp(desk, {key: 'moves', lastName: 'Quillfeather'})
    const {body} = await acted(desk, customer, {action: 'setLastName', lastName: 'Oxbow'})
    const named = (value: string) => found({fullTextPrefix: {field: 'all', value}})
    expect(await named('quillf')).to.deep.equal([])
    expect(await named('oxbow')).to.deep.equal(['moves'])
    await desk.ask('DELETE', `/customers/${body.id}?version=${body.version}&dataErasure=true`)
    expect(await named('oxbow')).to.deep.equal([])
  })
})
