import {expect} from 'chai'
import type {RunningServer} from '../../../src/index.js'
import {queried} from './cluster.js'

/** Where a server listens, and who may ask it. */
export interface Front {
  /** Its base, with the project's key. */
  readonly url: string
  readonly authorization: string
}

/** The front of a server to one of its projects, with a token of its client. */
export async function frontOf({apiUrl, client}: RunningServer, project: string): Promise<Front> {
  const basic = Buffer.from(`${client?.clientId}:${client?.clientSecret}`).toString('base64')
  const answer = await fetch(`${apiUrl}/oauth/token`, {
    method: 'POST',
    headers: {authorization: `Basic ${basic}`},
    body: new URLSearchParams({grant_type: 'client_credentials'}),
  })
  const {access_token: token} = (await answer.json()) as {access_token: string}
  return {url: `${apiUrl}/${project}`, authorization: `Bearer ${token}`}
}

interface Entry {
  readonly email: string
  id?: string
  /** The name that was acknowledged last, and those that may have been stored since. */
  name?: string
  readonly maybe: Set<string>
}

/** What clients were told while they signed up and changed customers, to be compared with what is stored. */
export class Ledger {
  readonly #entries: Entry[] = []
  readonly #waiting: {readonly count: number; resolve(): void}[] = []
  /** Answers by status; those that no client may get are named. */
  readonly answers = new Map<string, number>()
  readonly violations: string[] = []
  acknowledged = 0
  readonly #allowed: readonly number[]

  /** `mayMiss`: a customer who was acknowledged may be missing until the cluster has recovered the commit. */
  constructor({mayMiss = false} = {}) {
    this.#allowed = [200, 201, 503, ...(mayMiss ? [404] : [])]
  }

  /** Signs customers up at the fronts in turn, and renames them, until told to stop. */
  async load(fronts: readonly Front[], worker: number, stop: AbortSignal): Promise<void> {
    for (let at = 0; !stop.aborted; at += 1) {
      const front = fronts[(worker + at) % fronts.length]
      if (!front) return
      const entry: Entry = {email: `c${worker}-${at}@example.com`, maybe: new Set()}
      this.#entries.push(entry)
      const draft = at % 2 === 0 ? {password: 'Countess-1815'} : {authenticationMode: 'ExternalAuth'}
      const created = await this.#ask(front, 'POST', '/customers', {email: entry.email, ...draft})
      if (created?.status !== 201) continue
      entry.id = created.body.customer.id
      this.#count()
      await this.#rename(fronts[(worker + at + 1) % fronts.length] ?? front, entry, `N${worker}-${at}`)
    }
  }

  async #rename(front: Front, entry: Entry, firstName: string): Promise<void> {
    entry.maybe.add(firstName)
    const actions = [{action: 'setFirstName', firstName}]
    const renamed = await this.#ask(front, 'POST', `/customers/${entry.id}`, {version: 1, actions})
    if (renamed?.status !== 200) return
    entry.name = firstName
    this.#count()
  }

  #count(): void {
    this.acknowledged += 1
    for (const {count, resolve} of this.#waiting) if (this.acknowledged >= count) resolve()
  }

  /** Resolves when so many more were acknowledged. */
  more(count: number): Promise<void> {
    const {promise, resolve} = withResolvers()
    this.#waiting.push({count: this.acknowledged + count, resolve})
    return promise
  }

  async #ask(front: Front, method: string, path: string, body?: object) {
    try {
      const answer = await fetch(front.url + path, {
        method,
        headers: {authorization: front.authorization, 'content-type': 'application/json'},
        ...(body ? {body: JSON.stringify(body)} : {}),
      })
      // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
      const read = (await answer.json()) as any
      const said = answer.status === 503 ? `503 ${read.message}` : String(answer.status)
      this.answers.set(said, (this.answers.get(said) ?? 0) + 1)
      if (!this.#allowed.includes(answer.status)) this.violations.push(`${method} ${path}: ${JSON.stringify(read)}`)
      if (answer.status === 503 && !answer.headers.get('retry-after')) this.violations.push('503 without Retry-After')
      return {status: answer.status, body: read}
    } catch (error) {
      this.violations.push(`${method} ${path}: ${String((error as Error).cause ?? error)}`)
      return undefined
    }
  }

  /** Compares with a database: nothing that was acknowledged is lost, and nothing is there twice. */
  async check(url: string): Promise<void> {
    const rows = await queried<{id: string; email: string; name: string | null}>(
      url,
      `SELECT id, doc->>'email' AS email, doc->>'firstName' AS name FROM frontdesk.document
        WHERE kind = 'customer' AND doc->>'email' LIKE 'c%@example.com'`,
    )
    const stored = new Map(rows.map((row) => [row.email, row]))
    expect(stored.size, 'emails that are there twice').to.equal(rows.length)
    const known = new Set(this.#entries.map(({email}) => email))
    expect(rows.filter(({email}) => !known.has(email))).to.deep.equal([])
    const lost = this.#entries.filter(({email, id, name, maybe}) => {
      if (id === undefined) return false
      const row = stored.get(email)
      if (row?.id !== id) return true
      return name === undefined ? row.name !== null && !maybe.has(row.name) : row.name !== name
    })
    expect(lost, 'acknowledged and lost').to.deep.equal([])
    // Each table by itself, since an engine that distributes rows does not join all of them.
    const placesIn = async (columns: string): Promise<Set<string>> =>
      new Set(
        (await queried<{place: string[]}>(url, `SELECT ARRAY[project, kind, ${columns}`)).map(({place}) => `${place}`),
      )
    const documents = await placesIn('id] AS place FROM frontdesk.document')
    const holders = await placesIn('holder] AS place FROM frontdesk.unique_key WHERE holder IS NOT NULL')
    const customers = await placesIn("id] AS place FROM frontdesk.document WHERE kind = 'customer'")
    const [tally] = await queried<{sum: string}>(url, 'SELECT sum(documents) FROM frontdesk.tally')
    expect(Number(tally?.sum), 'documents that are counted').to.equal(documents.size)
    expect(
      [...holders].filter((place) => !documents.has(place)),
      'keys without a holder',
    ).to.deep.equal([])
    expect(
      [...customers].filter((place) => !holders.has(place)),
      'customers without a key',
    ).to.deep.equal([])
    expect(this.violations).to.deep.equal([])
  }
}

function withResolvers(): {readonly promise: Promise<void>; resolve(): void} {
  let resolve = (): void => {}
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil
  })
  return {promise, resolve}
}
