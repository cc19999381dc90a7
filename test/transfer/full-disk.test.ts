import {expect} from 'chai'
import {progressLine} from '../../src/cli/bulk/progress.js'
import type {Client} from '../../src/client/client.js'
import {ApiError} from '../../src/domain/errors.js'
import {importCustomers} from '../../src/transfer/import.js'
import type {TransferEvent} from '../../src/transfer/run/events.js'
import {RunStopped} from '../../src/transfer/run/run-stopped.js'
import type {Runtime} from '../../src/transfer/send/runtime.js'
import {quickRuntime, shop} from './desk.js'
import {failureOf, scratch} from './scratch.js'

describe('transfer · a server whose disk is full', () => {
  const files = scratch()
  const desk = shop()

  /** A client whose server takes so many requests that create, and is full from then on. */
  function filling(client: Client, left: number): Client {
    const call = (...given: Parameters<Client['call']>) => {
      const [{id}] = given
      if (id.startsWith('createCustomer')) left -= 1
      if (left >= 0 || !id.startsWith('createCustomer')) return client.call(...given)
      const message = 'The state cannot be written: ENOSPC.'
      return Promise.reject(ApiError.of('OverCapacity', {message, retryAfterSeconds: 5}))
    }
    return new Proxy(client, {
      get: (target, name) => {
        const member: unknown = name === 'call' ? call : Reflect.get(target, name)
        return typeof member === 'function' && name !== 'call' ? member.bind(target) : member
      },
    })
  }

  /** A clock on which those who wait at the same time wait for the longest of them. */
  function overlapping(): Runtime {
    let now = 0
    const wait = async (milliseconds: number): Promise<void> => {
      const until = now + milliseconds
      await new Promise((resolve) => setImmediate(resolve))
      now = Math.max(now, until)
    }
    return {...quickRuntime(), now: () => now, wait}
  }

  for (const withPasswords of [false, true]) {
    it(`ends the job with the reason, and says it meanwhile: ${withPasswords ? 'single' : 'batched'} rows`, async () => {
      const kind = withPasswords ? {password: 'geheim-123'} : {authenticationMode: 'ExternalAuth'}
      const rows = Array.from({length: 600}, (_, at) => ({
        key: `${withPasswords}-${at}`,
        email: `${withPasswords}-${at}@example.com`,
        ...kind,
      }))
      const name = `${withPasswords}.jsonl`
      const sources = await files.source(name, rows.map((row) => JSON.stringify(row)).join('\n'))
      const runtime = overlapping()
      const started = runtime.now()
      const events: TransferEvent[] = []
      const error = await failureOf(
        importCustomers(filling(desk().client, 2), sources, {
          jobsDir: files.path(name),
          target: 'test',
          runtime,
          onEvent: (event) => events.push(event),
        }),
      )
      expect(error).to.be.instanceOf(RunStopped)
      expect(error.message).to.include('The state cannot be written: ENOSPC.')
      const {counts} = error as RunStopped
      expect(counts.created).to.be.greaterThan(0)
      expect(counts.failed).to.equal(0)
      expect(runtime.now() - started).to.be.within(60_000, 120_000)
      const pressure = events.flatMap((event) => (event.type === 'throttled' ? [event.pressure] : [])).at(-1)
      const line = progressLine(
        {phase: 'writing', total: 600, done: counts.read, before: 0, failed: 0, startedAt: started, pressure},
        runtime.now(),
      )
      expect(line).to.include('(last: 503 The state cannot be written: ENOSPC), ')
    })
  }
})
