import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {openSources} from '../../../src/transfer/input/source.js'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import {planImport} from '../../../src/transfer/plan.js'
import type {TransferEvent} from '../../../src/transfer/run/events.js'
import {quickRuntime, type shop} from '../desk.js'
import {counts} from '../importing.js'
import type {scratch} from '../scratch.js'

/** Imports an export, expects that a second run has nothing to do, and finds its customers. */
export function importedTwice(desk: ReturnType<typeof shop>, files: ReturnType<typeof scratch>) {
  let runs = 0
  return async function twice(path: string, mapping: Mapping, expected: object, headerRow?: number) {
    const events: TransferEvent[] = []
    const sources = await openSources([path], headerRow === undefined ? {} : {headerRow})
    const run = async () => {
      runs += 1
      const options = {
        mapping,
        passwordMode: 'external-auth',
        jobsDir: files.path(`jobs-${runs}`),
        target: 'test',
      } as const
      const onEvent = (event: TransferEvent) => events.push(event)
      return importCustomers(desk().client, sources.list, {...options, onEvent, runtime: quickRuntime()})
    }
    expect(counts(await run())).to.deep.include(expected)
    const {create, update, conflict, invalid} = await planImport(desk().client, sources.list, {
      mapping,
      passwordMode: 'external-auth',
    })
    expect({create, update, conflict, invalid}, 'there is no difference').to.deep.equal({
      create: 0,
      update: 0,
      conflict: 0,
      invalid: 0,
    })
    const customers = await desk().customers()
    const customer = (email: string): Customer => {
      const found = customers.find((one) => one.email === email)
      if (!found) throw new Error(`${email} was not imported`)
      return found
    }
    return {customer, events}
  }
}

export const places = ({addresses}: Customer) =>
  addresses.map(({city, country, postalCode, externalId}) => [externalId, postalCode, city, country])
