import {basename} from 'node:path'
import {Args} from '@oclif/core'
import {BulkCommand} from '../src/cli/bulk/bulk-command.js'
import {namesText} from '../src/cli/bulk/cause-lines.js'
import {pressureFlags} from '../src/cli/bulk/flags.js'
import {resuming} from '../src/cli/bulk/job-page.js'
import {checkSameTarget, findStoredJob, latestJob, shownJob} from '../src/cli/bulk/jobs.js'
import {takeMarksBack} from '../src/cli/bulk/marks.js'
import {rateOf} from '../src/cli/bulk/options.js'
import type {RunNotes} from '../src/cli/bulk/rows.js'
import {importLines} from '../src/cli/bulk/summaries.js'
import {type Calls, customerReads, takenMarkCalls} from '../src/cli/command/operations.js'
import {customerOf} from '../src/cli/customers/calls.js'
import {differenceLines, differences, withNames} from '../src/cli/customers/preview.js'
import {updateCustomer} from '../src/cli/customers/update/engine.js'
import {writeFlags} from '../src/cli/input/flags.js'
import {parseRef} from '../src/cli/input/refs.js'
import {customerView, personOf} from '../src/cli/output/views.js'
import {usage} from '../src/cli/process/failure.js'
import {interruption} from '../src/cli/process/interruption.js'
import {counted, oneLine} from '../src/cli/process/sanitize.js'
import {actsOf} from '../src/cli/records/audit-events.js'
import {changesAt, keeping} from '../src/cli/records/changes.js'
import {pruneKept} from '../src/cli/records/kept.js'
import {takenBack} from '../src/cli/records/taken-back.js'
import {auditHere, isAbout} from '../src/cli/safety/audit.js'
import {jobsFolder} from '../src/cli/target/settings.js'
import type {Client} from '../src/client/client.js'
import type {Customer} from '../src/domain/customers/customer.js'
import {defined} from '../src/domain/equal.js'
import type {StoredJob} from '../src/transfer/jobs/jobs.js'
import type * as Engine from '../src/transfer/undo.js'
import type {UndoOptions, UndoPlan} from '../src/transfer/undo.js'

export default class Undo extends BulkCommand<typeof Undo> {
  static override operations: Calls = [...customerReads, 'updateCustomerById', 'deleteCustomerById', ...takenMarkCalls]
  static override summary = 'Take back the last change of a customer, or a bulk run'
  static override description =
    'With REF, takes back the last update of the customer that this tool made from this machine; a second undo repeats it. With JOB, deletes the customers that the run created and restores those that it changed; after an interruption, run the same command again. With neither, takes back the last run at this target. What somebody else has changed since stays: for one customer the undo ends with code 5, for a run the report lists them. Changes are kept for 30 days. Passwords, verified emails, tokens, deletions and erasures cannot be taken back.'
  static override examples = [
    '<%= config.bin %> undo ada@example.com --dry-run',
    '<%= config.bin %> undo key=ada --ticket CS-17',
    '<%= config.bin %> undo 20261120-093000125-1a2b3c --dry-run',
    '<%= config.bin %> undo --yes --ticket CS-17',
  ]
  static override args = {
    what: Args.string({
      name: 'REF|JOB',
      ignoreStdin: true,
      description: 'a customer (key=…, id=…, email=…, or a value that is one of these), or the id of a job',
    }),
  }
  static override flags = {...pressureFlags, ...writeFlags}

  async run(): Promise<void> {
    const {what} = this.args
    const dir = jobsFolder(this.folders)
    await pruneKept(this)
    if (what !== undefined && !/^\d{8}-\d{9}-[0-9a-f]{6}$/.test(what)) {
      const idle = Object.keys(pressureFlags).find((name) => this.given.has(name))
      if (idle !== undefined) throw usage(`--${idle} has no effect for one customer.`, 'Leave it out.')
      return this.#customer(what)
    }
    return this.#job(await findStoredJob(dir, what ?? (await latestJob(dir, this.resolved))))
  }

  async #customer(ref: string): Promise<void> {
    const client = await this.client()
    const customer = await customerOf(client, parseRef(ref), {asking: this.asking})
    const {id, version} = customer
    const now = this.io.clock()
    const acts = actsOf(auditHere(this), isAbout(customer))
    const {changesOf} = await import('../src/transfer/jobs/changes.js')
    const plan = await takenBack({client, customer, acts, now, changes: changesOf(changesAt(this), id)})
    const {isRedo, isFound, actions} = plan
    for (const note of plan.notes) this.say(note)
    const updated = await this.effect({
      at: 'target',
      plan: () => {
        const verb = isRedo ? 'bring back what the last undo took' : 'take back the change'
        const names = actions.map(({action}) => action).join(', ')
        return [{id, version, actions}, `would ${verb} of ${plan.time}, ${this.#person(customer)}\nactions: ${names}`]
      },
      confirm: async () => {
        if (!this.ask.interactive) return
        // Whoever undoes twice is at a loss rather than of that mind.
        if (isRedo)
          await this.ask.confirm(`The last act was an undo: bring back for ${this.#person(customer)} what it took?`)
        else if (isFound) await this.ask.confirm(`Take it back for ${this.#person(customer)}?`)
      },
      act: (write) =>
        updateCustomer({
          client,
          run: this,
          before: customer,
          actions: () => [...actions],
          onConflict: 'fail',
          keep: keeping(this, plan.back),
          write,
        }),
    })
    if (!updated) return
    const {before, after} = updated
    await this.output.change(after, customerView, [
      `${isRedo ? 'brought back' : 'undone'} for ${this.#person(after)}: version ${before.version} → ${after.version}`,
      ...differenceLines(await withNames(client, differences(before, after)), this.output),
    ])
  }

  #person(customer: Customer): string {
    return personOf(this.output.masked(customer))
  }

  async #job(stored: StoredJob): Promise<void> {
    checkSameTarget(shownJob(stored), this.resolved)
    const {job} = stored.header
    const advised = <R extends Pick<UndoPlan, 'openNext'>>(result: R) => {
      const {command, startedAt} = stored.header
      const look = ['customers', 'query', '-w', `createdAt >= "${startedAt}"`]
      const next = {wait: undefined, resume: command && resuming(command), look: this.commandLine(look)}
      return {...result, ...defined({openCommand: result.openNext && next[result.openNext]})}
    }
    const plan = async () =>
      advised(await this.#undo(({planUndo}, client, options) => planUndo(client, stored, options)))
    await this.job({
      actions: ['undo'],
      target: job,
      plan,
      planLines: (undoing) => this.quoting(undoPlanLines(undoing)),
      confirm: async () => {
        if (this.flags.yes) return
        const {ask} = this
        await ask.confirm(ask.interactive ? undoQuestion(await plan()) : `Take back the job ${job}?`)
      },
      run: async () => {
        const {mark} = stored.header.options
        return advised(
          await this.#undo(({undoJob}, client, options) =>
            undoJob(client, stored, {...options, putBack: () => takeMarksBack(this, client, job, mark)}),
          ),
        )
      },
      lines: (result) =>
        this.quoting([importLines(result), `took back the job ${job}`, ...openLines(result)].join('\n')),
    })
  }

  #undo<R>(task: (engine: typeof Engine, client: Client, options: UndoOptions) => Promise<R>): Promise<R & RunNotes> {
    const {concurrency, rate, retries} = this.flags
    return this.bulk(async ({client, onEvent}) =>
      task(await import('../src/transfer/undo.js'), client, {
        jobsDir: jobsFolder(this.folders),
        concurrency,
        onEvent,
        signal: interruption(),
        ...defined({ratePerSecond: rate === undefined ? undefined : rateOf(rate), retries}),
      }),
    )
  }
}

function undoPlanLines(plan: UndoPlan & {readonly openCommand?: string}): string {
  const {read, restore, unchanged, conflict, refused} = plan
  const counts = [`${plan.delete} delete`, `${restore} restore`, `${unchanged} unchanged`, `${conflict} refused`]
  return [
    `${counted(read, 'customer')} of the job ${plan.undoOf}: ${counts.join(', ')}`,
    ...refused.map(({customer, reason}) => oneLine(`refused   ${customer}: ${reason}`)),
    ...(conflict > refused.length ? [`refused   and ${conflict - refused.length} more (the report lists each)`] : []),
    ...openLines(plan),
    oneLine(`the run   ${runText(plan)}`),
  ].join('\n')
}

function undoQuestion(plan: UndoPlan): string {
  const {restore, conflict} = plan
  const refused = conflict === 0 ? '' : `, and leave ${counted(conflict, 'customer')} alone that cannot be taken back`
  return oneLine(
    `Take back the job ${plan.undoOf} (${runText(plan)}): delete ${counted(plan.delete, 'customer')} that it created, restore ${counted(restore, 'customer')} that it changed${refused}?`,
  )
}

/** A run by its day and its files, or by what it copied: the file of a copy is a temporary one. */
function runText({files, copiedFrom, startedAt}: UndoPlan): string {
  const more = files.length > 3 ? ` and ${files.length - 3} more` : ''
  const names = files.slice(0, 3).map((name) => basename(name))
  return `${copiedFrom === undefined ? `${names.join(', ')}${more}` : `a copy from ${copiedFrom}`} on ${startedAt.slice(0, 10)}`
}

const advice = {
  wait: 'wait for it to end, and repeat this',
  resume: 'let it end, and repeat this:',
  look: 'look for them among those created since:',
} as const

/** Lines about what an undo leaves: rows whose outcome is unknown, and references that were created for the rows. */
const openLines = ({
  open,
  undoOf,
  openNext,
  openCommand,
  referencesLeft,
}: Pick<UndoPlan, 'open' | 'undoOf' | 'openNext' | 'referencesLeft'> & {readonly openCommand?: string}): string[] => [
  ...(open === 0
    ? []
    : [
        `not taken back: ${open} rows that ${undoOf} may have sent when it was killed; ${advice[openNext ?? 'wait']}`,
        ...(openCommand === undefined ? [] : [`  ${openCommand}`]),
      ]),
  ...(referencesLeft ? [oneLine(`stay, since only customers are taken back: ${namesText(referencesLeft)}`)] : []),
]
