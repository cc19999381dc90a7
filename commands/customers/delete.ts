import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {backUp, confirmDeletion, customersToDelete, deleteEach, someFailed} from '../../src/cli/customers/deletion.js'
import {numberFlag, optionalArgs, outputFile, switchFlag, whereFlags, writeFlags} from '../../src/cli/input/flags.js'
import {parseRefs, type Ref} from '../../src/cli/input/refs.js'
import {withoutModel} from '../../src/cli/output/view.js'
import {customerView, personOf} from '../../src/cli/output/views.js'
import {usage} from '../../src/cli/process/failure.js'
import {beginErasure} from '../../src/cli/records/erasures.js'
import {copiesOf, forgetting, goOnErasing, keptOf} from '../../src/cli/records/kept.js'
import {type Erased, formerNames, proving, writeReceipt} from '../../src/cli/records/receipt.js'
import type {Writer} from '../../src/cli/safety/door.js'

type ToDelete = Awaited<ReturnType<typeof customersToDelete>>

export default class CustomersDelete extends BaseCommand<typeof CustomersDelete> {
  static override operations: Calls = [
    ...customerReads,
    'deleteCustomerById',
    {operations: ['customerExistsById', 'getCustomerSessions'], when: '--receipt'},
  ]
  static override summary = 'Delete customers'
  static override description =
    'Reads the customers, asks for confirmation, and deletes each at the version that was read. Messages about a customer are kept unless --erase-personal-data is given.'
  static override examples = [
    '<%= config.bin %> customers delete key=ada --yes --backup ada.jsonl',
    '<%= config.bin %> customers delete -w \'key = "ada"\' --max 1 --dry-run',
  ]
  static override args = {ref: optionalArgs('customers; - reads them from stdin, one a line')}
  static override flags = {
    ...whereFlags,
    max: numberFlag('Delete nothing if more than this many are named or match --where.'),
    version: numberFlag('Send this version instead of the one that is read.'),
    'erase-personal-data': switchFlag(
      'Also erase the personal data of the customer elsewhere. Snapshots, folders of repairs and backups are kept; the command names them.',
    ),
    receipt: outputFile(
      'FILE',
      'Write a receipt to a new file: what was found, what is left and why. It contains ids only.',
      {dependsOn: ['erase-personal-data']},
    ),
    backup: outputFile('FILE', 'Write the customers to a new file first, as JSON Lines.'),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const given = this.args.ref ?? []
    if ((given.length === 0) === (this.flags.where === undefined)) throw usage('Give either customers or --where.')
    const refs = await parseRefs(given, this.io)
    const {max} = this.flags
    if (max !== undefined && refs.length > max)
      throw usage(`${refs.length} customers are named, and --max is ${max}; nothing was deleted.`, 'Raise --max.')
    if (this.flags.version !== undefined && refs.length !== 1) throw usage('--version needs exactly one customer.')
    const client = await this.client()
    const erase = this.flags['erase-personal-data']
    const former = erase ? await goOnErasing(this, client) : []
    const isGone = ({value}: Ref) => former.some((person) => Object.values(person).includes(value))
    const left = refs.filter((ref) => !isGone(ref))
    const customers = await customersToDelete(client, left, this.flags, {max, asking: this.asking})
    const {version: sent} = this.flags
    if (customers.length === 0 && !this.isDry) {
      await this.output.answer({deleted: 0}, 'nothing to delete')
      return
    }
    const verb = erase ? 'erase' : 'delete'
    await this.effect({
      at: 'target',
      plan: () => [
        {erase, customers: customers.map((one) => ({...one, version: sent ?? one.version}))},
        customers
          .map((one) => `would ${verb} ${one.id} at version ${sent ?? one.version}, ${this.#person(one)}`)
          .join('\n'),
      ],
      confirm: () => confirmDeletion(client, customers, {erase, backup: this.flags.backup, ...this.asking}),
      act: async (write) => {
        backUp(this, this.flags.backup, customers)
        await this.#deleteAll(write, customers, erase)
        this.#sayBackup(customers)
      },
    })
  }

  /** How to bring back what was deleted, as far as a backup does. */
  #sayBackup(customers: ToDelete): void {
    const {backup} = this.flags
    if (backup === undefined) return
    const isElsewhere = customers.every(({authenticationMode}) => authenticationMode === 'ExternalAuth')
    const mode = ['--password-mode', isElsewhere ? 'external-auth' : 'reset-links']
    this.say(`To bring it back: ${this.commandLine(['customers', 'import', backup, ...mode])}`)
  }

  #person(customer: unknown): string {
    return personOf(this.output.masked(customer))
  }

  async #deleteAll(write: Writer, customers: ToDelete, erase: boolean): Promise<void> {
    const client = await this.client()
    const erased: Erased[] = []
    const around = this.flags.receipt === undefined ? undefined : proving(client, erased)
    const ids = customers.map(({id}) => id)
    const named = [...customers, ...(erase ? await formerNames(this, client, ids) : [])]
    const copies = erase ? await copiesOf(this, named) : []
    const forget = await forgetting(this, named, erase)
    const of = (id: string) => named.filter((one) => one.id === id)
    const begin = erase ? (id: string) => beginErasure(this, of(id)) : undefined
    const {version} = this.flags
    const done = await deleteEach(write, customers, {run: this, client, erase, version, around, begin, forget})
    const {results, failed} = done
    // What others wrote of them meanwhile.
    const gone = results.flatMap(({id}) => of(id))
    await (await forgetting(this, gone, erase))()
    const past = erase ? 'erased' : 'deleted'
    if (erase && results.length > 0) await this.#nameCopies(erased, copies)
    if (failed.length > 0) throw someFailed(past, done)
    const [only] = results
    if (only && results.length === 1) await this.output.change(only, customerView, [`${past} ${this.#person(only)}`])
    else await this.output.page({count: results.length, results}, withoutModel(customerView))
  }

  /** Names what erasing does not reach: snapshots, repairs, the backup, files of jobs. Writes the receipt. */
  async #nameCopies(found: readonly Erased[], copies: readonly string[]): Promise<void> {
    if (copies.length > 0)
      this.say(`Not erased, since these are files of your own that may hold it: ${copies.join(', ')}`)
    const {receipt: path} = this.flags
    if (path === undefined) return
    const erased = await Promise.all(found.map(async (one) => ({...one, kept: await keptOf(this, one.id)})))
    if (writeReceipt(this, path, erased, copies)) this.say(`The receipt is in ${path}.`)
  }
}
