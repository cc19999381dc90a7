import {expect} from 'chai'
import {keptJsonText} from '../../../src/domain/json-text.js'
import {type Answer, NotRun, type Run} from '../../../src/store/postgres/connection/connections.js'
import {isLost} from '../../../src/store/postgres/connection/faults.js'
import {frozenDocument, storedText} from '../../../src/store/postgres/frozen-document.js'
import {Lookups} from '../../../src/store/postgres/lookups.js'
import {toStored} from '../../../src/store/postgres/schema/text-form.js'
import {patienceMs} from '../../patience.js'

describe('store · look-ups in PostgreSQL', () => {
  const empty: Answer = {rows: [], count: 0, command: 'SELECT'}

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
        return {...empty, rows: [[`{"id":"${name} ${values[0]}","version":1}`]]}
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
    expect((await all).map((text) => JSON.parse(text ?? '').id)).to.deep.equal([
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

  describe('queries', () => {
    const select = (name: string) => (run: Run) => run({text: name})
    /** Runs what is asked for, as a database would: what is behind a failed statement is not run. */
    function database(failing: Record<string, Error>, isRepaired = false) {
      const trips: string[][] = []
      const once = <T>(work: (run: Run) => Promise<T>): Promise<T> => {
        const names: string[] = []
        trips.push(names)
        let first: Error | undefined
        return work(async ({text, name = text}) => {
          names.push(name)
          if (first) throw new NotRun('not run', {cause: first})
          first = failing[name]
          if (isRepaired) delete failing[name]
          if (first) throw first
          return {...empty, rows: [[`{"id":"${name}","version":1}`]]}
        })
      }
      const reading = <T>(work: (run: Run) => Promise<T>) =>
        once(work).catch((error: unknown) => {
          if (!isLost(error)) throw error
          return once(work)
        })
      return {lookups: new Lookups({reading, isDistributed: false}, patienceMs), trips}
    }
    const outcome = (answer: Promise<Answer | string | undefined>) =>
      answer.then(
        (found) => (typeof found === 'object' ? found.rows[0]?.[0] : found),
        (error: Error) => error.message,
      )

    it('share a trip with look-ups, which come first', async () => {
      const {lookups, trips} = database({})
      await Promise.all([
        lookups.query(20, select('a')),
        lookups.find('shop', 'people', 'a'),
        lookups.query(20, select('b')),
        lookups.get('shop', 'people', 'a'),
      ])
      expect(trips).to.deep.equal([['frontdesk_find', 'frontdesk_get', 'a', 'b']])
    })

    it('fail alone: what the database did not run behind them is asked for again', async () => {
      const {lookups, trips} = database({b: new Error('too long')})
      const asked = ['a', 'b', 'c', 'd'].map((name) => outcome(lookups.query(1, select(name))))
      expect(await Promise.all(asked)).to.deep.equal([
        '{"id":"a","version":1}',
        'too long',
        '{"id":"c","version":1}',
        '{"id":"d","version":1}',
      ])
      expect(trips).to.deep.equal([['a', 'b', 'c', 'd'], ['c'], ['d']])
    })

    it('are all asked once more over another connection', async () => {
      const {lookups, trips} = database({b: new Error('Connection terminated unexpectedly')}, true)
      const asked = [lookups.get('shop', 'people', 'a'), lookups.query(1, select('b')), lookups.query(1, select('c'))]
      expect(await Promise.all(asked.map((answer) => outcome(answer)))).to.deep.equal([
        '{"id":"frontdesk_get","version":1}',
        ...['b', 'c'].map((id) => `{"id":"${id}","version":1}`),
      ])
      expect(trips).to.deep.equal([
        ['frontdesk_get', 'b', 'c'],
        ['frontdesk_get', 'b', 'c'],
      ])
    })

    it('that read many rows go by themselves, and more than one trip', async () => {
      const {lookups, trips} = database({})
      await Promise.all([60, 40, 1, 100, 100].map((rows, at) => lookups.query(rows, select(`q${at}`))))
      expect(trips).to.deep.equal([['q0', 'q1'], ['q2'], ['q3'], ['q4']])
    })
  })

  it('fail with their trip alone', async () => {
    let count = 0
    const reading = async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
      count += 1
      if (count === 1) throw new Error('lost')
      return work(async () => empty)
    }
    const lookups = new Lookups({reading, isDistributed: false})
    const error = await lookups.get('shop', 'people', 'a').catch((reason: unknown) => reason)
    expect(error).to.include({message: 'lost'})
    expect(await lookups.get('shop', 'people', 'a')).to.equal(undefined)
  })
})
