import type {Client} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import type {CopyOptions} from '../../transfer/copy.js'
import {interruption} from '../process/interruption.js'
import type {Run} from '../run/run.js'
import {changesOf, pageQueryOf} from './export.js'
import type {PasswordFileFlags} from './flags.js'
import {type BulkFlags, bulkOptions} from './options.js'
import type {Opening} from './rows.js'
import type {Since} from './since.js'
import type {Beside} from './summaries.js'

export interface CopyFlags extends PasswordFileFlags, BulkFlags {
  readonly anonymize?: string | undefined
  readonly where?: string[] | undefined
  readonly var?: string[] | undefined
  readonly 'with-references'?: boolean
}

export interface CopySource {
  readonly client: Client
  readonly name: string
  readonly since?: Since | undefined
}

/** The customers of another project as rows, after what they refer to. `beside` is known once they are open. */
export function rowsOfCopy(
  run: Run<CopyFlags>,
  source: CopySource,
): {readonly open: Opening; readonly beside: () => Beside} {
  let beside: Beside = {}
  const open: Opening = async ({client, onEvent}, use) => {
    const {flags} = run
    const {withCustomersOf} = await import('../../transfer/copy.js')
    // Customers are found by key unless told, and by email where one has none.
    const options = {...(await bulkOptions(flags, run.resolved)), match: flags.match ?? ('key-or-email' as const)}
    const brought = await besideCustomers(client, run, source.client)
    const {since} = source
    const reading = await readOptions(flags, since)
    const result = await withCustomersOf(source.client, {...reading, ...brought.reading}, (sources, {withoutKey}) => {
      if (flags.match === undefined && withoutKey > 0) onEvent({type: 'without-key', rows: withoutKey})
      const referencesComing = run.isDry && flags['with-references'] === true
      return use({sources, options: {...options, referencesComing}, about: {copiedFrom: source.name}})
    })
    if (!run.isDry && since && reading.watermark) since.reached = reading.watermark.value
    beside = brought.shown()
    return result
  }
  return {open, beside: () => beside}
}

/** Brings what the customers refer to before they come, where `--with-references` asks for it. */
async function besideCustomers(client: Client, {flags, isDry}: Run<CopyFlags>, source: Client) {
  if (!flags['with-references']) return {reading: {}, shown: () => ({})}
  const {bringReferences} = await import('../../transfer/target/references.js')
  const options = {isDry, signal: interruption(), ...defined({retries: flags.retries})}
  const {brought, newIds, values} = await bringReferences(source, client, options)
  return {
    reading: {newIds, trim: values.of},
    shown: () => ({references: brought, valuesLeftOut: values.leftOut}),
  }
}

async function readOptions(flags: CopyFlags, since: Since | undefined): Promise<CopyOptions> {
  const {query, watermark} = await changesOf(pageQueryOf(flags), since)
  return {
    query,
    signal: interruption(),
    ...defined({anonymize: flags.anonymize, retries: flags.retries, watermark}),
  }
}
