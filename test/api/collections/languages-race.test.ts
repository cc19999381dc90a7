import {expect} from 'chai'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {type Answer, type Desk, errorOf, openDesk} from '../harness.js'

for (const store of ['lowdb', 'PostgreSQL'] as const) {
  describe(`api · languages of the project beside stores that take them (${store})`, () => {
    let cluster: Cluster | undefined
    let desk: Desk

    before(async function () {
      if (store === 'PostgreSQL') cluster = await startCluster()
      if (store === 'PostgreSQL' && !cluster) return this.skip()
      desk = await openDesk({
        languages: ['de', 'en'],
        ...(cluster ? {storeUrl: await cluster.database('languages')} : {}),
      })
      await desk.ask('POST', '/stores', {body: {key: 'given'}})
    })

    after(async () => {
      await desk?.runtime.state.close()
      await cluster?.stop()
    })

    const change = async (languages: readonly string[]): Promise<Answer> => {
      const {version} = (await desk.ask('GET', '')).body
      return desk.ask('POST', '', {body: {version, actions: [{action: 'changeLanguages', languages}]}})
    }
    const setLanguages = async (languages: readonly string[]): Promise<Answer> => {
      const {version} = (await desk.ask('GET', '/stores/key=given')).body
      return desk.ask('POST', '/stores/key=given', {body: {version, actions: [{action: 'setLanguages', languages}]}})
    }
    const takings: Record<string, (round: number) => Promise<Answer>> = {
      'a new store': (round) => desk.ask('POST', '/stores', {body: {key: `racing-${round}`, languages: ['de']}}),
      'a changed store': () => setLanguages(['de']),
    }

    for (const [what, take] of Object.entries(takings)) {
      it(`are never given up for a store that has them: ${what}`, async () => {
        for (let round = 0; round < 25; round += 1) {
          const [given, taken] = await Promise.all([change(['en']), take(round)])
          const codes = [given, taken].map((answer) => (answer.status < 300 ? 'done' : errorOf(answer).code))
          expect(codes.filter((code) => code === 'done').length, `round ${round}: ${codes}`).to.be.at.most(1)
          expect(codes[0]).to.be.oneOf(['done', 'LanguageUsedInStores', 'LockedField'])
          expect(codes[1]).to.be.oneOf(['done', 'ProjectNotConfiguredForLanguages', 'LockedField'])
          if (codes[1] === 'done' && what === 'a changed store') await setLanguages([])
          if (codes[1] === 'done' && what === 'a new store')
            await desk.ask('DELETE', `/stores/key=racing-${round}?version=1`)
          expect((await change(['de', 'en'])).status).to.equal(200)
        }
      })
    }

    it('are taken again from the project that is there by then, when its settings changed meanwhile', async () => {
      const {state} = desk.runtime
      const commit = state.commit.bind(state)
      state.commit = async (...given) => {
        state.commit = commit
        await change(['de', 'en', 'fr'])
        return commit(...given)
      }
      expect((await setLanguages(['EN'])).body.languages).to.deep.equal(['en'])
    })
  })
}
