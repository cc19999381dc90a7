import {expect} from 'chai'
import type {Desk} from '../run.js'

interface Created {
  readonly customer: {readonly id: string; readonly version: number}
}

/** Makes customers who sign in elsewhere; the key is the local part of the email too. */
export const maker =
  (desk: Desk) =>
  async (key: string, ...more: string[]): Promise<Created['customer']> => {
    const argv = [
      'customers',
      'create',
      '--email',
      `${key}@example.com`,
      '--key',
      key,
      '--external-auth',
      '--json',
      ...more,
    ]
    const {code, json, stderr} = await desk.run(argv)
    expect(code, stderr).to.equal(0)
    return (json as Created).customer
  }
