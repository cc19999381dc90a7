import {once} from 'node:events'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {expect} from 'chai'
import {withTimeLimit} from '../../src/client/time-limit.js'
import {patienceMs} from '../patience.js'

describe('client · time limits', () => {
  it('hold when memory is collected before', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const signal = withTimeLimit(new AbortController().signal, 50)
    const ended = once(signal, 'abort', {signal: AbortSignal.timeout(patienceMs)})
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    await ended
    expect(signal.reason).to.have.property('name', 'TimeoutError')
  })

  it('end with the signal before', () => {
    const controller = new AbortController()
    const signal = withTimeLimit(controller.signal, patienceMs)
    controller.abort(new Error('stopped'))
    expect(signal.reason).to.have.property('message', 'stopped')
  })
})
