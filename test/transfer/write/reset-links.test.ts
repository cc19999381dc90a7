import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {createPasswordToken, resetCustomerPassword} from '../../../src/api/accounts/passwords.js'
import {signInCustomer} from '../../../src/api/accounts/sign-in.js'
import {type Client, Unreachable} from '../../../src/client/client.js'
import {ApiError} from '../../../src/domain/errors.js'
import {InputError} from '../../../src/transfer/files/input-error.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {RunStopped} from '../../../src/transfer/run/run-stopped.js'
import {callsOf} from '../../../src/transfer/send/customer-calls.js'
import {quickRuntime, shop} from '../desk.js'
import {failureOf, scratch} from '../scratch.js'

const files = scratch()
const header = 'email,key,token,expiresAt,customerId\r\n'
const linesOf = (path: string) =>
  files
    .read(path)
    .slice(header.length)
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [email = '', key = '', token = '', expiresAt = '', id = ''] = line.split(',')
      return {email, key, token, expiresAt, id}
    })
const textsBelow = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

describe('transfer · reset links', () => {
  const desk = shop()
  let run = 0
  const optionsFor = (path: string) => {
    run += 1
    const jobsDir = files.path(`jobs-${run}`)
    const resetLinks = {path, ttlMinutes: 10_080}
    return {jobsDir, target: 'test', passwordMode: 'reset-links', resetLinks, runtime: quickRuntime(run)} as const
  }
  const rowsOf = (name: string, count: number) =>
    files.source(
      'rows.csv',
      `key,email\n${Array.from({length: count}, (_, at) => `${name}-${at},${name}-${at}@x.de\n`).join('')}`,
    )
  /** The client, whose tokens go wrong as `fault` says. */
  const faulty = (fault: (made: number) => Error | undefined): Client => {
    const {client} = desk()
    let made = 0
    const call = async (operation: {readonly id: string}, ...rest: readonly unknown[]) => {
      const answer: unknown = await (client.call as (...all: readonly unknown[]) => Promise<unknown>)(
        operation,
        ...rest,
      )
      if (operation.id !== createPasswordToken.id) return answer
      made += 1
      const error = fault(made)
      if (error) throw error
      return answer
    }
    return {...client, call: call as Client['call']}
  }
  const lost = () => new Unreachable('the answer was lost', true, 'c')

  /** Every line has a token that works, for the customer that it names. */
  async function expectWorking(path: string, keys: readonly string[]) {
    const lines = linesOf(path)
    expect(lines.map(({key}) => key).toSorted()).to.deep.equal(keys.toSorted())
    for (const {email, token, id} of lines) {
      const body = {tokenValue: token, newPassword: 'my own'}
      expect((await desk().client.call(resetCustomerPassword, {}, {body})).id).to.equal(id)
      expect((await desk().client.call(signInCustomer, {}, {body: {email, password: 'my own'}})).customer.id).to.equal(
        id,
      )
    }
  }

  it('go to a private file, for each customer whose password nobody keeps', async () => {
    const text =
      'key,email,password,authenticationMode\nann,a@x.de,,\nbob,b@x.de,of his own,\ncid,c@x.de,,ExternalAuth\n'
    const sources = await files.source('a.csv', text)
    const path = files.path('links.csv')
    const options = optionsFor(path)
    const events: unknown[] = []
    const done = await importCustomers(desk().client, sources, {...options, onEvent: (event) => events.push(event)})
    expect(done).to.include({created: 3, failed: 0})
    expect(files.read(path).startsWith(header)).to.equal(true)
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    const [{token = '', expiresAt = ''} = {}] = linesOf(path)
    expect(token).to.match(/^[\w-]{40}$/)
    expect(Date.parse(expiresAt) - Date.now()).to.be.greaterThan(6 * 86_400_000)
    expect(textsBelow(options.jobsDir) + JSON.stringify(events)).to.not.include(token)
    await expectWorking(path, ['ann'])
    const again = await importCustomers(desk().client, sources, optionsFor(files.path('second.csv')))
    expect(again).to.include({unchanged: 3})
    expect(files.read(files.path('second.csv'))).to.equal(header)
  })

  it('are all there once, and work, after a run that lost answers and was resumed', async () => {
    const path = files.path('lost.csv')
    const options = optionsFor(path)
    const sources = await rowsOf('lost', 12)
    const failed = importCustomers(
      faulty((made) => (made > 5 ? lost() : undefined)),
      sources,
      options,
    )
    const stopped = await failureOf<RunStopped>(failed)
    expect(stopped).to.be.instanceOf(RunStopped)
    expect(stopped.counts).to.include({failed: 0, created: 5})
    // Somebody changes one who has no token yet: the resumed run brings the row to him, and makes it all the same.
    const told = new Set(linesOf(path).map(({key}) => key))
    const waiting = (await desk().customers()).find(({key = ''}) => key.startsWith('lost-') && !told.has(key))
    if (!waiting) throw new Error('every customer has a token')
    await callsOf(desk().client).update(waiting, [{action: 'changeEmail', email: 'changed@x.de'}])
    // A crash may have cut a line whose token nobody was told of.
    writeFileSync(path, `${files.read(path)}lost-11@x.de,lost-11,abc`)
    const rest = await importCustomers(desk().client, sources, {...options, resume: true})
    expect(rest).to.include({read: 12, created: 11, updated: 1, failed: 0})
    await expectWorking(
      path,
      Array.from({length: 12}, (_, at) => `lost-${at}`),
    )
  })

  it('are not made twice where the file knows more than the journal', async () => {
    const path = files.path('journal.csv')
    const options = optionsFor(path)
    const sources = await rowsOf('journal', 5)
    const {job} = await importCustomers(desk().client, sources, options)
    const journal = join(options.jobsDir, `${job}.jsonl`)
    const kept = readFileSync(journal, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('"outcome"') && !line.includes('"end"'))
    writeFileSync(journal, kept.join('\n'))
    const before = files.read(path)
    const again = await importCustomers(desk().client, sources, {...options, resume: true})
    expect(again).to.include({created: 5})
    expect(files.read(path)).to.equal(before)
    await expectWorking(
      path,
      Array.from({length: 5}, (_, at) => `journal-${at}`),
    )
  })

  it('that the server refuses of one customer fail its row, and say that the customer is there', async () => {
    const path = files.path('refused.csv')
    const refuses = (made: number) =>
      made === 1 ? ApiError.of('InvalidOperation', {message: 'No tokens for this one.'}) : undefined
    const done = await importCustomers(faulty(refuses), await rowsOf('refused', 3), optionsFor(path))
    expect(done).to.include({created: 2, failed: 1})
    expect(linesOf(path)).to.have.length(2)
    expect(files.read(done.report ?? '')).to.include('The customer was created, but has no reset link: No tokens')
  })

  it('need a file that is new, plain and named', async () => {
    const sources = await rowsOf('none', 1)
    const taken = files.write('taken.csv', 'mine')
    for (const path of [taken, files.path('links.csv'), files.dir, '-', '/dev/stdout', '/dev/tty', '/nowhere/a.csv']) {
      const error = await failureOf(importCustomers(desk().client, sources, optionsFor(path)))
      expect(error, path).to.be.instanceOf(InputError)
    }
    const {resetLinks: _, ...without} = optionsFor('')
    expect(await failureOf(importCustomers(desk().client, sources, without))).to.be.instanceOf(InputError)
    expect(files.read(taken)).to.equal('mine')
    expect((await desk().customers()).some(({key}) => key === 'none-0')).to.equal(false)
  })
})
