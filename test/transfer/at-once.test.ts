import {expect} from 'chai'
import {importCustomers} from '../../src/transfer/import.js'
import {quickRuntime, shop} from './desk.js'
import {scratch} from './scratch.js'

describe('transfer · two imports of one file at once', () => {
  const files = scratch()
  const desk = shop()

  it('count each customer once between them, although each meets the unique keys of the other', async () => {
    const locked: string[] = []
    const run = async (name: string, round: number) => {
      const lines = Array.from({length: 300}, (_, at) =>
        JSON.stringify({key: `twin-${round}-${at}`, email: `twin-${round}-${at}@x.de`, password: `secret-${at}`}),
      )
      const sources = await files.source(`twins-${name}-${round}.jsonl`, lines.join('\n'))
      return importCustomers(desk().client, sources, {
        jobsDir: files.path(`jobs-${name}-${round}`),
        target: 'test',
        runtime: quickRuntime(3),
        onEvent: (event) => {
          if (event.type === 'retry') locked.push(name)
        },
      })
    }
    // On a busy machine one may be done before the other begins.
    for (let round = 1; locked.length === 0; round += 1) {
      expect(round, 'the runs never met').to.be.lessThan(20)
      const [one, other] = await Promise.all([run('one', round), run('other', round)])
      expect(await desk().customers()).to.have.length(round * 300)
      expect(one.created + other.created).to.equal(300)
      expect(one.failed + other.failed).to.equal(0)
    }
  })
})
