import {expect} from 'chai'
import {openDesk} from '../harness.js'
import {Reader, reading} from './walk.js'

/** Every reading operation that the reference has is asked; the desk compares its answers, and read-cases those of writes. */
describe('api · answers beside the reference', () => {
  for (const [place, seed, lacking] of [
    ['the demo', true, /^(getState|state)/],
    [
      'a project that nobody configured',
      false,
      /^(get|query)?(state|(my|staged)?quote|businessUnit|associateRole|product|taxCategor|zone|shippingMethod)/i,
    ],
  ] as const) {
    it(`are its own of every operation that reads, in ${place}`, async () => {
      const reader = await Reader.of(await openDesk({seed}))
      for (const {id, method, path} of reading) {
        const {status, body} = await reader.ask(method, path)
        expect(status, id).to.be.oneOf(lacking.test(id) ? [200, 404] : [200])
        if (method === 'HEAD') expect(body, id).to.equal(undefined)
      }
    })
  }
})
