import {expect} from 'chai'
import type {Shop} from '../shop/shop.js'
import {send} from '../shop/wire.js'

/** What a dependency does wrong ends one request. Errors that nobody caught fail the test: they would end a server. */

const uncaught: unknown[] = []
const onRejection = (error: unknown) => uncaught.push(error)
export const watch = (): void => {
  before(() => process.on('unhandledRejection', onRejection))
  after(() => process.off('unhandledRejection', onRejection))
  afterEach(() => expect(uncaught.splice(0)).to.deep.equal([]))
}

/** Whether the server still answers. */
export async function lives({origin}: Shop): Promise<void> {
  expect((await send(origin, {path: '/health'})).status).to.equal(200)
}
