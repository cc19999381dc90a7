import {expect} from 'chai'
import {type Body, type Desk, errorOf, openDesk} from '../harness.js'
import {changed, created, removed, written} from './drafts.js'

for (const {segment, label, draft, made, change, rekey} of written) {
  describe(`api · writing ${segment}`, () => {
    let desk: Desk
    before(async () => {
      desk = await openDesk()
    })

    it('creates what the draft says, signed and stamped, and finds it by id, key and query', async () => {
      const one = await created(desk, segment, draft('first'))
      const now = new Date(desk.clock.now).toISOString()
      const by = {clientId: 'test-client', isPlatformClient: false}
      expect(one).to.deep.include({...made('first'), version: 1, createdAt: now, lastModifiedAt: now})
      expect(one).to.deep.include({createdBy: by, lastModifiedBy: by, versionModifiedAt: now})
      expect((await desk.ask('GET', `/${segment}/${one.id}`)).body).to.deep.equal(one)
      expect((await desk.ask('GET', `/${segment}/key=first`)).body).to.deep.equal(one)
      const where = encodeURIComponent('key = "first"')
      expect((await desk.ask('GET', `/${segment}?where=${where}`)).body).to.deep.include({count: 1, total: 1})
      for (const path of [`/${one.id}`, '/key=first', `?where=${where}`]) {
        expect((await desk.ask('HEAD', `/${segment}${path}`)).status, path).to.equal(200)
      }
    })

    it('changes by id and by key, one version for each action that has an effect', async () => {
      const one = await created(desk, segment, draft('changing'))
      desk.clock.now += 1000
      const {status, body} = await changed(desk, segment, one, change('Renamed'), change('Renamed'))
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body).to.include({version: 2, createdAt: one.createdAt})
      expect(body.lastModifiedAt).to.equal(new Date(desk.clock.now).toISOString())
      const again = await desk.ask('POST', `/${segment}/key=changing`, {
        body: {version: 2, actions: [change('Renamed')]},
      })
      expect(again.body).to.deep.equal(body)
    })

    it('deletes by id and by key, and answers with what is gone', async () => {
      const [one, other] = [
        await created(desk, segment, draft('gone-1')),
        await created(desk, segment, draft('gone-2')),
      ]
      expect((await removed(desk, segment, one)).body).to.deep.equal(one)
      expect((await desk.ask('DELETE', `/${segment}/key=gone-2?version=1`)).body).to.deep.equal(other)
      for (const {id} of [one, other]) expect((await desk.ask('GET', `/${segment}/${id}`)).status).to.equal(404)
      expect((await removed(desk, segment, one)).status).to.equal(404)
      expect((await created(desk, segment, draft('gone-1'))).id).to.not.equal(one.id)
    })

    it('holds each key once', async () => {
      const one = await created(desk, segment, draft('twice'))
      const again = await desk.ask('POST', `/${segment}`, {body: {...draft('twice'), groupName: 'Not the same name'}})
      expect(errorOf(again)).to.include({code: 'DuplicateField', field: 'key', duplicateValue: 'twice'})
      if (!rekey) return
      const other = await created(desk, segment, draft('other'))
      const taken = await changed(desk, segment, other, rekey('twice'))
      expect(errorOf(taken)).to.include({code: 'DuplicateField', field: 'key', duplicateValue: 'twice'})
      expect((await changed(desk, segment, one, rekey('once'))).body.key).to.equal('once')
      expect((await changed(desk, segment, other, rekey('twice'))).body.key).to.equal('twice')
    })

    it('compares versions, and wants one', async () => {
      const one = await created(desk, segment, draft('versions'))
      const stale = await changed(desk, segment, {...one, version: 7})
      expect([stale.status, errorOf(stale)]).to.deep.include(409)
      expect(errorOf(stale)).to.include({code: 'ConcurrentModification', currentVersion: 1})
      const path = `/${segment}/${one.id}`
      expect(errorOf(await desk.ask('DELETE', path)).code).to.equal('InvalidInput')
      expect(errorOf(await desk.ask('DELETE', `${path}?version=one`)).code).to.equal('InvalidInput')
      expect((await desk.ask('DELETE', `${path}?version=2`)).status).to.equal(409)
      expect(errorOf(await desk.ask('POST', path, {body: {actions: []}})).code).to.equal('InvalidJsonInput')
    })

    it('lets one of several at the same version win', async () => {
      const one = await created(desk, segment, draft('racing'))
      const answers = await Promise.all([1, 2, 3, 4].map(() => changed(desk, segment, one, change('Raced'))))
      expect(answers.map(({status}) => status).sort()).to.deep.equal([200, 409, 409, 409])
      const twins = await Promise.all([1, 2, 3, 4].map(() => desk.ask('POST', `/${segment}`, {body: draft('twins')})))
      expect(twins.filter(({status}) => status === 201)).to.have.length(1)
      for (const twin of twins.filter(({status}) => status !== 201)) {
        expect(errorOf(twin).code).to.be.oneOf(['DuplicateField', 'LockedField'])
      }
    })

    it('refuses bodies of another shape, and says where', async () => {
      const bad: [body: object, code: string][] = [
        [{}, 'InvalidJsonInput'],
        [draft('k', {key: 5}), 'InvalidJsonInput'],
        [draft('k', {key: 'no blanks'}), 'InvalidField'],
        [draft('k'), 'InvalidField'],
        [{...draft('fine'), name: 7, groupName: 7}, 'InvalidJsonInput'],
      ]
      if (segment === 'stores') bad.push([draft('listed', {storefront: []}), 'InvalidJsonInput'])
      for (const [body, code] of bad) {
        const answer = await desk.ask('POST', `/${segment}`, {body})
        expect([answer.status, errorOf(answer).code], JSON.stringify(body)).to.deep.equal([400, code])
      }
      const one = await created(desk, segment, draft('unmoved'))
      const unknown = await changed(desk, segment, one, {action: 'setNickname'})
      expect(errorOf(unknown).detailedErrorMessage).to.contain('setNickname')
    })

    it('ignores what the service owns, and null is absent', async () => {
      const given = {id: 'mine', version: 9, createdAt: 'long ago', custom: null, description: null}
      const one = await created(desk, segment, draft('owned', given))
      expect(one).to.include({version: 1})
      expect(one.id).to.match(/^[0-9a-f-]{36}$/)
      expect(one).to.not.have.any.keys('custom', 'description')
    })

    it(`writes with manage_${segment.replace('-', '_')} alone, not with view`, async () => {
      const names = segment.replace('-', '_')
      const [view, manage] = [await desk.token(`view_${names}`), await desk.token(`manage_${names}`)]
      const other = await desk.token('manage_orders manage_project_settings')
      for (const token of [view, other, null]) {
        const refused = await desk.ask('POST', `/${segment}`, {body: draft('scoped'), token})
        expect(refused.status).to.equal(token === null ? 401 : 403)
      }
      const {body} = await desk.ask('POST', `/${segment}`, {body: draft('scoped'), token: manage})
      expect((await desk.ask('GET', `/${segment}/${body.id}`, {token: view})).status).to.equal(200)
      expect((await desk.ask('DELETE', `/${segment}/${body.id}?version=1`, {token: view})).status).to.equal(403)
      expect((await desk.ask('DELETE', `/${segment}/${body.id}?version=1`, {token: manage})).status).to.equal(200)
    })

    it('says what is missing by its name', async () => {
      for (const [path, shown] of [
        ['none-such', "with ID 'none-such'"],
        ['key=none-such', "with key 'none-such'"],
      ] as const) {
        const answers: Body[] = [
          await desk.ask('GET', `/${segment}/${path}`),
          await desk.ask('POST', `/${segment}/${path}`, {body: {version: 1, actions: []}}),
          await desk.ask('DELETE', `/${segment}/${path}?version=1`),
        ]
        for (const answer of answers) {
          expect([answer.status, errorOf(answer).code]).to.deep.equal([404, 'ResourceNotFound'])
          expect(errorOf(answer).message).to.equal(`The ${label} ${shown} was not found.`)
        }
      }
    })

    it(`is in the description of the API`, async () => {
      const {paths} = (await desk.ask('GET', '//openapi.json', {token: null})).body
      expect(paths[`/{projectKey}/${segment}`].post.operationId).to.equal(`create${label}`)
      expect(paths[`/{projectKey}/${segment}/key={key}`].delete.operationId).to.equal(`delete${label}ByKey`)
    })
  })
}
