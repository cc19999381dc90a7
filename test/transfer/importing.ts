import {expect} from 'chai'
import {type ImportOptions, importCustomers} from '../../src/transfer/import.js'
import type {TransferEvent} from '../../src/transfer/run/events.js'
import {quickRuntime, shop} from './desk.js'
import {scratch} from './scratch.js'

/** What an import counted, without what it counted none of. */
export const counts = (result: object): Record<string, number> =>
  Object.fromEntries(Object.entries(result).filter(([, value]) => typeof value === 'number' && value > 0)) as never

/** A shop and a folder for the tests of one file, and imports of texts into that shop. */
export function importing() {
  const files = scratch()
  const desk = shop()
  let count = 0

  async function imported(content: string, options: Partial<ImportOptions> & {name?: string} = {}) {
    const {name = 'a.csv', ...rest} = options
    count += 1
    const sources = await files.source(name, content)
    const events: TransferEvent[] = []
    const jobsDir = files.path(`jobs-${count}`)
    const result = await importCustomers(desk().client, sources, {
      jobsDir,
      target: 'test',
      runtime: quickRuntime(),
      onEvent: (event) => events.push(event),
      ...rest,
    })
    const {job, report, ...counts} = result
    expect(counts.read).to.equal(
      counts.created + counts.updated + counts.unchanged + counts.skipped + counts.failed,
      'counts add up',
    )
    return {...result, events, journal: `${jobsDir}/${job}.jsonl`}
  }

  const customer = async (key: string) => (await desk().customers()).find((found) => found.key === key)
  return {files, desk, imported, customer}
}
