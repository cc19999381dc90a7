import {expect} from 'chai'
import {type Answer, acted, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'

describe('api · project', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
  })
  afterEach(() => desk.runtime.state.close())

  const read = async (): Promise<Body> => (await desk.ask('GET', '')).body
  const act = async (...actions: object[]): Promise<Answer> => {
    const {version} = await read()
    return desk.ask('POST', '', {body: {version, actions}})
  }
  const externalOAuth = {url: 'https://id.example/introspect', authorizationHeader: 'Basic Y2FuYXJ5'}

  it('shows the settings, but not what is internal', async () => {
    expect(await read()).to.deep.equal({
      version: 1,
      key: 'shop',
      name: 'shop',
      countries: [],
      currencies: [],
      languages: [],
      createdAt: '2026-11-20T10:00:00.000Z',
      messages: {enabled: true, deleteDaysAfterCreation: 15},
      carts: {
        deleteDaysAfterLastModification: 90,
        countryTaxRateFallbackEnabled: false,
        priceRoundingMode: 'HalfEven',
        taxRoundingMode: 'HalfEven',
      },
      shoppingLists: {deleteDaysAfterLastModification: 360},
      inventory: {releaseExpiredReservations: false},
      discounts: {discountCombinationMode: 'Stacking'},
      searchIndexing: {customers: {status: 'Activated'}},
    })
    expect((await desk.ask('HEAD', '')).status).to.equal(200)
  })

  it('shows the settings of a seeded project, and the defaults of those that it lacks, after an update too', async () => {
    const demo = await openDesk({seed: true})
    expect((await demo.ask('GET', '')).body).to.deep.include({
      carts: {
        deleteDaysAfterLastModification: 90,
        countryTaxRateFallbackEnabled: false,
        priceRoundingMode: 'HalfEven',
        taxRoundingMode: 'HalfEven',
      },
    })
    await demo.runtime.state.close()
    const {body} = await act({action: 'changeName', name: 'renamed'})
    expect(body).to.include.keys('carts', 'inventory', 'discounts')
  })

  it('sets and removes the other authorization server, and masks its header', async () => {
    const set = await act({action: 'setExternalOAuth', externalOAuth})
    expect(set.status).to.equal(200)
    expect(set.body).to.deep.include({
      version: 2,
      externalOAuth: {url: externalOAuth.url, authorizationHeader: 'Basic ****'},
    })
    expect(JSON.stringify(await read())).to.not.include('Y2FuYXJ5')
    const removed = await act({action: 'setExternalOAuth'})
    expect(removed.body).to.not.have.property('externalOAuth')
    expect(removed.body.version).to.equal(3)
  })

  it('masks a header without a scheme whole', async () => {
    const {body} = await act({
      action: 'setExternalOAuth',
      externalOAuth: {...externalOAuth, authorizationHeader: 'secret'},
    })
    expect(body.externalOAuth.authorizationHeader).to.equal('****')
  })

  it('changes the languages, keeps each once, and refuses what is no tag', async () => {
    expect((await act({action: 'changeLanguages', languages: ['en', 'de-AT', 'EN']})).body.languages).to.deep.equal([
      'en',
      'de-AT',
    ])
    const customer = await signedUp(desk, {locale: 'de-AT'})
    expect((await acted(desk, customer, {action: 'setLocale', locale: 'fr'})).status).to.equal(400)
    expect(errorOf(await act({action: 'changeLanguages', languages: ['xx-!!']})).field).to.equal(
      'actions[0].languages[0]',
    )
    expect(errorOf(await act({action: 'changeLanguages', languages: 'en'})).code).to.equal('InvalidJsonInput')
  })

  it('changes the name, the countries and the currencies', async () => {
    const {body} = await act(
      {action: 'changeName', name: 'Shop of shops'},
      {action: 'changeCountries', countries: ['DE', 'UK', 'DE']},
      {action: 'changeCurrencies', currencies: ['EUR', 'JPY']},
    )
    expect(body).to.deep.include({
      name: 'Shop of shops',
      countries: ['DE', 'UK'],
      currencies: ['EUR', 'JPY'],
      version: 4,
    })
    expect(await read()).to.deep.equal(body)
    for (const action of [
      {action: 'changeName', name: ''},
      {action: 'changeCountries', countries: ['de']},
      {action: 'changeCurrencies', currencies: ['EURO']},
    ]) {
      expect(errorOf(await act(action)).code, action.action).to.equal('InvalidField')
    }
  })

  it('still takes the older switch of messages, with a notice', async () => {
    const {body, headers} = await act({action: 'changeMessagesEnabled', messagesEnabled: false})
    expect(body.messages).to.deep.equal({enabled: false, deleteDaysAfterCreation: 15})
    expect(headers['x-deprecation-notice']).to.include('changeMessagesConfiguration')
  })

  it('switches messages off and on, and keeps them for a time', async () => {
    const configure = (messagesConfiguration: object) =>
      act({action: 'changeMessagesConfiguration', messagesConfiguration})
    expect((await configure({enabled: false, deleteDaysAfterCreation: 90})).body.messages).to.deep.equal({
      enabled: false,
      deleteDaysAfterCreation: 90,
    })
    await signedUp(desk)
    expect((await configure({enabled: true})).body.messages).to.deep.equal({enabled: true, deleteDaysAfterCreation: 90})
    await signedUp(desk)
    expect((await desk.ask('GET', '/messages')).body.total).to.equal(1)
    for (const days of [0, 91, 1.5])
      expect((await configure({enabled: true, deleteDaysAfterCreation: days})).status).to.equal(400)
  })

  it('changes all or nothing, once a version', async () => {
    const broken = await act(
      {action: 'changeLanguages', languages: ['en']},
      {action: 'setExternalOAuth', externalOAuth: {url: 'x'}},
    )
    expect(broken.status).to.equal(400)
    expect((await read()).languages).to.deep.equal([])
    const same = await act({action: 'changeLanguages', languages: []})
    expect(same.body.version).to.equal(1)
    const stale = await desk.ask('POST', '', {body: {version: 7, actions: []}})
    expect(stale.status).to.equal(409)
    const racing = await Promise.all(
      Array.from({length: 5}, (_, at) =>
        desk.ask('POST', '', {
          body: {version: 1, actions: [{action: 'changeLanguages', languages: [`e${at === 0 ? 'n' : 's'}`]}]},
        }),
      ),
    )
    expect(racing.filter(({status}) => status === 200)).to.have.lengthOf(1)
    expect(racing.filter(({status}) => status === 409)).to.have.lengthOf(4)
    expect(errorOf(await act({action: 'fly'})).detailedErrorMessage).to.include("'setExternalOAuth'")
  })

  it('lets those read who may view, and those write who may manage the settings', async () => {
    const [viewer, manager] = [await desk.token('view_project_settings'), await desk.token('manage_project_settings')]
    const body = {version: 1, actions: []}
    expect((await desk.ask('GET', '', {token: viewer})).status).to.equal(200)
    expect((await desk.ask('POST', '', {token: viewer, body})).status).to.equal(403)
    expect((await desk.ask('POST', '', {token: manager, body})).status).to.equal(200)
    expect((await desk.ask('GET', '', {token: await desk.token('manage_customers')})).status).to.equal(403)
  })
})
