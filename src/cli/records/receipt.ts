import {accessSync, constants} from 'node:fs'
import {dirname, resolve} from 'node:path'
import type {Client} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import {checkOutFile, writeOutFile} from '../output/out-file.js'
import {usage} from '../process/failure.js'
import {jsonText} from '../process/sanitize.js'
import {readAudit} from '../safety/audit-chain.js'
import {remainsOf, type Traces, tracesOf} from './traces.js'

/** The receipt of an erasure: numbers, times and ids, and nothing else about the person. */

export interface Erased {
  readonly id: string
  readonly before: Traces
  readonly after: Traces
}

/** Counts before and after each erasure of a run. */
export class Proof {
  readonly erased: Erased[] = []
  readonly #client: Client
  #before: Traces = {customer: 0}

  constructor(client: Client) {
    this.#client = client
  }

  async before(id: string): Promise<void> {
    this.#before = await tracesOf(this.#client, id)
  }

  async after(id: string): Promise<void> {
    this.erased.push({id, before: this.#before, after: await tracesOf(this.#client, id)})
  }
}

export interface ReceiptOf {
  readonly erased: readonly Erased[]
  readonly project: string
  /** The profile, or the host. */
  readonly label: string
  /** ISO 8601. */
  readonly time: string
  readonly ticket?: string | undefined
  /** Copies of the operator's own that an erasure does not reach. */
  readonly copies: readonly string[]
  readonly auditFolder: string
}

/** What an erasure leaves, and why. */
const stays = [
  {what: 'messages without their content: id, type, time', why: 'so that their sequence has no gap'},
  {what: 'quotes, requests and carts without the customer and its words', why: 'they are records of the business'},
  {what: 'lines of the audit log with the id, the operator, reason and ticket', why: 'they prove who erased whom'},
  {what: 'files that imports read and exports wrote', why: 'they belong to whoever asked for them'},
]

export function receiptOf({erased, project, label, time, ticket, copies, auditFolder}: ReceiptOf) {
  const {lines, head} = readAudit(auditFolder)
  return {
    receipt: 'erasure of personal data',
    format: 1,
    time,
    project,
    profile: label,
    operator: lines.at(-1)?.operator ?? '',
    ...defined({ticket}),
    customers: erased.map(({id, before, after}) => {
      const remains = remainsOf(after)
      return {
        id,
        found: before,
        left: after,
        complete: Object.keys(remains).length === 0,
        ...(Object.keys(remains).length > 0 ? {remains} : {}),
      }
    }),
    stays: [...stays, ...copies.map((copy) => ({what: `the copy ${copy}`, why: 'it is a copy of your own'}))],
    audit: {head, lines: lines.length},
  }
}

/** Throws a usage error for a place where no receipt can be written, before anything is erased. */
export function checkReceipt(path: string): void {
  checkOutFile(path, false)
  try {
    accessSync(dirname(resolve(path)), constants.W_OK)
  } catch (error) {
    throw usage(
      `No file can be written at ${path}: ${(error as NodeJS.ErrnoException).code ?? ''}.`,
      'Name another place.',
    )
  }
}

/** Writes the receipt to a new file that its owner alone can read. */
export function writeReceipt(path: string, receipt: ReturnType<typeof receiptOf>): void {
  writeOutFile(path, `${jsonText(receipt, 2)}\n`, false)
}
