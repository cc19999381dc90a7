import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import type {Desk} from '../run.js'
import {demoDesk, errorOf, hazel} from './harness.js'

/** The same with each command opening the state by itself, and with all of them talking to a server that holds it. */
for (const place of ['embedded', 'server'] as const) {
  describe(`cli · quotes · several at once (${place})`, () => {
    let desk: Desk
    let server: RunningServer | undefined
    before(async () => {
      desk = await demoDesk()
      const dataDir = desk.env['FRONTDESK_DATA_DIR'] ?? ''
      if (place === 'server') server = await startServer({dataDir, projectKey: 'demo', settings: {passwordCost: 4}})
    })
    after(async () => {
      await server?.stop()
      desk.remove()
    })

    const quotes = (...argv: string[]) => desk.run(['quotes', ...argv, ...hazel, '--json'])

    it('one of two answers wins; the other ends with code 5 and the state that came of it', async () => {
      const [accepted, declined] = await Promise.all([
        quotes('accept', 'key=hazel-open', '--yes'),
        quotes('decline', 'key=hazel-open', '--yes'),
      ])
      const [won, lost] = accepted.code === 0 ? [accepted, declined] : [declined, accepted]
      expect([won.code, lost.code], lost.stdout).to.deep.equal([0, 5])
      const {quoteState} = won.json as {quoteState: string}
      expect(quoteState).to.equal(won === accepted ? 'Accepted' : 'Declined')
      expect(errorOf(lost).code).to.be.oneOf(['ConcurrentModification', 'InvalidOperation'])
      expect(errorOf(lost).details[0]).to.include({quoteState, version: 2})
    })
  })
}
