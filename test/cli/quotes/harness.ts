import {expect} from 'chai'
import {Desk, type Ended} from '../run.js'

export const hazel = ['--as', 'key=hazel-brandvold']

/** A desk with the demo as its local project. */
export async function demoDesk(): Promise<Desk> {
  const desk = new Desk()
  desk.env['FRONTDESK_PROJECT_KEY'] = 'demo'
  const {code, stderr} = await desk.run(['server', 'seed', 'fixtures/demo'])
  expect(code, stderr).to.equal(0)
  return desk
}

export const errorOf = ({
  json,
}: Ended): {code: string; message: string; exitCode: number; details: object[]; hints: string[]} =>
  (json as {error: never}).error
