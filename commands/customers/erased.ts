import {BaseCommand} from '../../src/cli/command/base-command.js'
import {requiredArg} from '../../src/cli/input/flags.js'
import {usage} from '../../src/cli/process/failure.js'
import {actsOf} from '../../src/cli/records/audit-events.js'
import {copiesOf, goOnErasing, keptOf, pruneKept} from '../../src/cli/records/kept.js'
import {tracesOf, verdictOf} from '../../src/cli/records/traces.js'
import {type AuditLine, auditHere} from '../../src/cli/safety/audit.js'
import {defined} from '../../src/domain/equal.js'

type ErasureRecord = Pick<AuditLine, 'time' | 'operator' | 'profile' | 'result' | 'ticket'>

export default class CustomersErased extends BaseCommand<typeof CustomersErased> {
  static override operations = ['customerExistsById', 'getCustomerSessions', 'queryMessages'] as const
  static override summary = 'Check that a customer was erased, and list what is left'
  static override description =
    'Searches the API, the files of this machine (journals of jobs, failed rows, replaced values, saved sessions) and the audit log for the id, and names files that commands wrote for you. Names what it could not look at, since the target does not serve it. Ends with code 9 if personal data is left, or if the client may not read enough to tell, and with 3 if there is no trace of such a customer.'
  static override examples = ['<%= config.bin %> customers erased 1a6d66fe-b045-4294-88fa-3a4ddaf9d263']
  static override args = {id: requiredArg('the id of the customer, as in the receipt')}

  async run(): Promise<void> {
    const id = this.args.id.replace(/^id=/, '')
    if (!/^[0-9a-f-]{36}$/i.test(id)) throw usage('Give the id: nothing else finds an erased customer.')
    const client = await this.client()
    await goOnErasing(this, client)
    const left = await tracesOf(client, id)
    // The erasures of the id that this machine has sent, the oldest first.
    const isErasure = ({target, actions}: AuditLine) => target === id && actions?.includes('erase') === true
    const records = actsOf(auditHere(this), isErasure).map(
      ({intent: {time, operator, profile, ticket}, result: {result} = {}}): ErasureRecord => ({
        ...{time, operator, profile},
        ...defined({result, ticket}),
      }),
    )
    await pruneKept(this)
    const kept = await keptOf(this, id)
    const copies = await copiesOf(this, [{id}])
    const {isKnown, erased, verdict} = verdictOf(id, left, {kept, isRecorded: records.length > 0})
    const told = records.map(({time, operator, result, ticket}) => {
      const about = [time, operator, result ?? 'no result', ...(ticket === undefined ? [] : [ticket])]
      return `  erasure ${about.join(' · ')}`
    })
    if (left.notLookedAt) told.push(`  not looked at: ${left.notLookedAt.join(', ')}`)
    await this.output.answer({id, erased, left, kept, records, copies}, [verdict, ...told].join('\n'))
    if (copies.length > 0) this.say(`Files of your own may still hold it: ${copies.join(', ')}`)
    if (!isKnown) this.endWith('notFound')
    else if (!erased) this.endWith('checkFailed')
  }
}
