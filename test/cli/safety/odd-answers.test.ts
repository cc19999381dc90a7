import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {rounds} from '../../rounds.js'
import {config, Desk, type Ended} from '../run.js'
import {everyCommand} from './every-command.js'
import {OddServer, oddAnswers} from './odd-answers.js'

/** What asks for other things than the commands as they stand there. */
const further: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'customers change-password': [
    ['key=hazel-brandvold', '--current-password-file', 'secret', '--new-password-file', 'other'],
  ],
  'customers delete': [['key=owen-pell', '--yes', '--erase-personal-data', '--receipt', 'receipt.json']],
  'customers exists': [['--where', 'email is defined']],
  'customers import': [['customers.csv', '--mode', 'upsert', '--password-mode', 'external-auth']],
  'customers query': [
    ['--all', '-o', 'csv'],
    ['-o', 'card'],
  ],
  'customers reset-password': [['key=owen-pell', '--show-secret']],
  'customers sign-in': [['hazel.brandvold@example.com', '--password-file', 'secret']],
  'customers update': [
    ['owen.pell@quayside.example', '--add-group', 'wholesale'],
    ['key=owen-pell', '--set', 'firstName=Ann', '--on-conflict', 'rebase'],
  ],
  'customers verify-email': [['key=owen-pell']],
}

const files: Readonly<Record<string, string>> = {
  secret: 'demo-only-hazel',
  other: 'another password',
  'customers.csv': 'key,email,customerGroup.key\nnew-1,new-1@example.com,wholesale\n',
  'checks.json': '{"checks":[{"name":"a","query":{"resource":"customers"},"assert":["results exists"]}]}',
}

/** Answers that each request of a command is tried with, in turn. */
const triedAtOnce = rounds(2, Object.keys(oddAnswers).length)

describe('cli · answers that no server of this API gives', () => {
  const desk = new Desk()
  const home = process.cwd()
  let server: RunningServer
  let odd: OddServer
  let env: Record<string, string> = {}
  let turn = 0

  before(() => {
    const work = join(desk.folder, 'work')
    mkdirSync(work)
    process.chdir(work)
  })
  after(() => {
    for (const file of readdirSync('.')) rmSync(file, {recursive: true})
    process.chdir(home)
    desk.remove()
  })
  async function begin(): Promise<void> {
    server = await startServer({dataDir: ':memory:', projectKey: 'demo', seedDir: 'demo'})
    odd = new OddServer(server.apiUrl)
    const url = await odd.start()
    const {clientId, clientSecret} = server.client
    env = {
      ...{FRONTDESK_API_URL: url, FRONTDESK_AUTH_URL: url, FRONTDESK_PROJECT_KEY: 'demo'},
      ...{FRONTDESK_CLIENT_ID: clientId, FRONTDESK_CLIENT_SECRET: clientSecret},
      ...{FRONTDESK_RETRIES: '0', FRONTDESK_NO_INPUT: '1'},
    }
  }
  async function end(): Promise<void> {
    odd.stop()
    await server.stop()
  }

  /** Runs a command on a machine that has nothing but what it reads. */
  async function ran(words: readonly string[]): Promise<Ended> {
    for (const file of readdirSync('.')) rmSync(file, {recursive: true})
    for (const [name, text] of Object.entries(files)) writeFileSync(name, text, {mode: 0o600})
    for (const folder of ['cache', 'data']) rmSync(join(desk.folder, folder), {recursive: true, force: true})
    odd.asked = []
    return desk.run(words, {env, wait: async () => undefined})
  }

  const isOurs = ({code, stdout, stderr}: Ended): boolean =>
    code === 1 || /Unexpected|bug in frontdesk|TypeError|RangeError|\bNaN\b|\[object Object\]/.test(stdout + stderr)

  /** What a command does with each odd answer to each of its requests, where that is a fault. */
  async function faultsOf(words: readonly string[]): Promise<readonly string[]> {
    await begin()
    await ran(words)
    const faults: string[] = []
    const answers = Object.entries(oddAnswers)
    for (const [nth, request] of [...odd.asked].entries()) {
      for (let tried = 0; tried < triedAtOnce; tried += 1) {
        turn += 1
        const [name, answer] = answers[turn % answers.length] ?? ['', (real) => real]
        odd.odd = {nth, answer}
        let ended = await ran(words)
        if (odd.asked[nth] !== request) {
          // What it had done before is in the way.
          await end().then(begin)
          odd.odd = {nth, answer}
          ended = await ran(words)
        }
        if (isOurs(ended)) faults.push(`${request}: ${name}: ${ended.code} ${ended.stdout}${ended.stderr}`)
      }
    }
    await end()
    return faults
  }

  for (const id of Object.keys(everyCommand)) {
    if (/^(server|desk|login|logout|callback|introspection)\b/.test(id)) continue
    it(`are an error, or do without: ${id}`, async () => {
      const loaded = await (await config()).findCommand(id.replaceAll(' ', ':'), {must: true}).load()
      if ((loaded as {operations?: readonly unknown[]}).operations?.length === 0) return
      for (const args of [everyCommand[id] ?? [], ...(further[id] ?? [])])
        expect(await faultsOf([...id.split(' '), ...args]), args.join(' ')).to.deep.equal([])
    })
  }
})
