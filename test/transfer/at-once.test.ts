import {expect} from 'chai'
import {importCustomers} from '../../src/transfer/import.js'
import {quickRuntime, shop} from './desk.js'
import {scratch} from './scratch.js'

describe('transfer · two imports of one file at once', () => {
  const files = scratch()
  const desk = shop()

  it('count each customer once between them, although each meets the unique keys of the other', async () => {
    const lines = Array.from({length: 300}, (_, at) =>
      JSON.stringify({key: `twin-${at}`, email: `twin-${at}@x.de`, password: `secret-${at}`}),
    )
    const locked: string[] = []
    const run = async (name: string) => {
      const sources = await files.source('twins.jsonl', lines.join('\n'))
      return importCustomers(desk().client, sources, {
        jobsDir: files.path(`jobs-${name}`),
        target: 'test',
        runtime: quickRuntime(3),
        onEvent: (event) => {
          if (event.type === 'retry') locked.push(name)
        },
      })
    }
    const [one, other] = await Promise.all([run('one'), run('other')])
    const customers = await desk().customers()
    expect(customers).to.have.length(300)
    expect(locked, 'the runs never met').to.not.have.length(0)
    expect(one.created + other.created).to.equal(300)
    expect(one.failed + other.failed).to.equal(0)
  })
})
