import {expect} from 'chai'
import {keptJsonText} from '../../../src/domain/json-text.js'
import type {Run} from '../../../src/store/postgres/connection/connections.js'
import {Lookups} from '../../../src/store/postgres/lookups.js'
import {frozenDocument, storedText, toStored} from '../../../src/store/postgres/schema/text-form.js'
import {patienceMs} from '../../patience.js'

describe('store · look-ups in PostgreSQL', () => {
  /** Trips as the names of their statements; each waits for its `go`. */
  function asked(slowMs = patienceMs) {
    const trips: string[][] = []
    const go: (() => void)[] = []
    const reading = async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
      const names: string[] = []
      trips.push(names)
      await new Promise<void>((resolve) => go.push(resolve))
      return work(async ({name = ''}, values = []) => {
        names.push(name)
        return {rows: [[`${name} ${values[0]}`]], count: 1, command: 'SELECT'}
      })
    }
    return {lookups: new Lookups({reading, isDistributed: false}, slowMs), trips, go}
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('share a trip if they come together, a place of two requests being asked for once', async () => {
    const {lookups, trips, go} = asked()
    const all = Promise.all([
      lookups.get('shop', 'people', 'a'),
      lookups.find('shop', 'people', 'a'),
      lookups.get('_', 'token', 'a'),
      lookups.get('shop', 'people', 'a'),
    ])
    await turn()
    go[0]?.()
    expect(await all).to.deep.equal([
      'frontdesk_get shop',
      'frontdesk_find shop',
      'frontdesk_get _',
      'frontdesk_get shop',
    ])
    expect(trips).to.deep.equal([['frontdesk_get', 'frontdesk_find', 'frontdesk_get']])
  })

  it('read again for whoever asks once a trip is under way', async () => {
    const {lookups, trips, go} = asked()
    const first = lookups.get('shop', 'people', 'a')
    await turn()
    const second = lookups.get('shop', 'people', 'a')
    await turn()
    expect(trips).to.have.lengthOf(2)
    for (const one of go) one()
    expect(await first).to.equal(await second)
  })

  const fourInARow = async (lookups: Lookups) => {
    const waiting: Promise<unknown>[] = []
    for (const id of ['a', 'b', 'c', 'd']) {
      waiting.push(lookups.get('shop', 'people', id))
      await turn()
    }
    return Promise.all(waiting)
  }

  it('gather while two trips are under way', async () => {
    const {lookups, trips, go} = asked()
    const all = fourInARow(lookups)
    for (let at = 0; at < 6; at += 1) await turn()
    expect(trips).to.have.lengthOf(2)
    for (let at = 0; at < go.length; at += 1) {
      go[at]?.()
      await turn()
    }
    await all
    expect(trips).to.have.lengthOf(3)
  })

  it('wait for no trip that takes long', async () => {
    const {lookups, trips, go} = asked(1)
    const all = fourInARow(lookups)
    while (trips.length < 3) await turn()
    for (let at = 0; at < go.length; at += 1) {
      go[at]?.()
      await turn()
    }
    await all
  })

  it('fail with their trip alone', async () => {
    let count = 0
    const reading = async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
      count += 1
      if (count === 1) throw new Error('lost')
      return work(async () => ({rows: [], count: 0, command: 'SELECT'}))
    }
    const lookups = new Lookups({reading, isDistributed: false})
    const error = await lookups.get('shop', 'people', 'a').catch((reason: unknown) => reason)
    expect(error).to.include({message: 'lost'})
    expect(await lookups.get('shop', 'people', 'a')).to.equal(undefined)
  })

  it('leave the trip to others when one of them fails, and are repeated when its connection was lost', async () => {
    const lost = new Error('Connection terminated unexpectedly')
    let tries = 0
    const reading = async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
      const once = () => work(async ({text}) => ({rows: [[text]], count: 1, command: 'SELECT'}))
      return once().catch(once)
    }
    const lookups = new Lookups({reading, isDistributed: false})
    const refused = new Error('too long')
    const [failed, known, again] = await Promise.allSettled([
      lookups.beside(() => Promise.reject(refused)),
      lookups.beside(async (run) => (await run({text: 'SELECT 1'})).rows),
      lookups.beside(async () => {
        tries += 1
        if (tries === 1) throw lost
        return tries
      }),
    ])
    expect(failed).to.deep.equal({status: 'rejected', reason: refused})
    expect(known).to.deep.equal({status: 'fulfilled', value: [['SELECT 1']]})
    expect(again).to.deep.equal({status: 'fulfilled', value: 2})
  })

  it('give a document with its text as it was written, not as it is stored', () => {
    for (const name of ['Ada', 'a\0b', '\u0001', '\ud800', '\u{10ffff}']) {
      const document = {id: 'a', version: 1, name}
      const read = frozenDocument(toStored(document))
      expect(read).to.deep.equal(document)
      expect(JSON.parse(keptJsonText(read))).to.deep.equal(document)
      expect(frozenDocument(toStored(document))).to.equal(read)
      expect(storedText(toStored(document)).text).to.equal(keptJsonText(read))
    }
    expect(storedText('{"id": "a", "version": 1}').text).to.equal('{"id":"a","version":1}')
    expect(keptJsonText(frozenDocument('{"id": "a", "version": 1}'))).to.equal('{"id":"a","version":1}')
  })
})
