import {readdirSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {type Cluster, startCluster} from '../store/postgres/cluster.js'
import {openSandbox, type Sandbox} from './binary.js'
import {hasPty, Pty} from './pty.js'
import {type Block, blocksOf, furnish, inBackground, page, root, scriptsIn, shell} from './typed.js'

/** Blocks of lines that nothing types, by how they begin, and why. */
const untyped: readonly (readonly [start: string, why: string])[] = [
  ['npm ci', '.ci/run and npm run test:install type it'],
  ['npm install', 'npm run test:install installs the package'],
  ['docker', 'no test has a container engine; container.test.ts runs what the image runs'],
  ['POSTGRES_PASSWORD=', 'the same'],
  ['frontdesk server store-schema --engine citus', 'npm run test:citus has nodes of Citus'],
]
const isTyped = ({text}: Block): boolean => !untyped.some(([start]) => text.startsWith(start))
const isLines = ({language}: Block): boolean => language === 'sh' || language === ''

const pages = readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))
const typedPages = pages.filter((path) => path !== 'docs/reference.md' && blocksOf(page(path)).some(isLines))

const enter = '\r'
/** What somebody answers who types everything of a page at a terminal, in the order of the questions. */
const login = (server: Runtime): (readonly [string, string])[] => [
  ['Key of the project:', `shop${enter}`],
  ['Address of the API:', `${server.url}${enter}`],
  ['Address of the authorization:', `${server.url}${enter}`],
  ['Id of the API client:', `${server.clientId}${enter}`],
  ['Secret:', `${server.secret}${enter}`],
]
const leaveDesk = [
  ['Who is calling?', '.'],
  ['end the session', enter],
] as const
const terminals: Readonly<Record<string, (server: Runtime) => readonly (readonly [string, string])[]>> = {
  'docs/getting-started.md': (server) => [...login(server), ...leaveDesk],
  'docs/support.md': login,
  'docs/administration.md': (server) => [...login(server), ['y or enter', 'y']],
}

/** A project behind an address, as the texts mean it with "your shop". */
interface Runtime {
  readonly url: string
  readonly clientId: string
  readonly secret: string
  readonly dotenv: string
}

async function platformIn(sandbox: Sandbox): Promise<Runtime> {
  const {apiUrl: url} = await sandbox.serve(['--project-key', 'shop', '--seed', 'demo'])
  const {stdout: dotenv} = await sandbox.frontdesk(['server', 'env', '--project-key', 'shop', '--shell', 'dotenv'])
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(dotenv)?.[1] ?? ''
  return {url, dotenv, clientId: value('CTP_CLIENT_ID'), secret: value('CTP_CLIENT_SECRET')}
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const {port} = server.address() as {port: number}
      server.close(() => resolve(port))
    })
  })

/** Guides typed from top to bottom, each in an empty home: every line, or it says why not. */
describe('e2e · guides', () => {
  const shop = openSandbox()
  let runtime: Runtime
  let cluster: Cluster | undefined
  let home: Sandbox
  let hooksPort: number
  before(async () => {
    hooksPort = await freePort()
    runtime = await platformIn(shop)
    cluster = await startCluster()
  })
  beforeEach(() => {
    home = openSandbox()
  })
  afterEach(() => home.remove())
  after(async () => {
    await shop.frontdesk(['server', 'stop'])
    await cluster?.stop()
    shop.remove()
  })

  /** What the texts name as an example, in what the test has in its place. */
  async function meant(script: string): Promise<string> {
    const examples: [string, string][] = [
      ['https://api.example', runtime.url],
      ['https://auth.example', runtime.url],
      ['--client-id abc', `--client-id ${runtime.clientId}`],
      ['8081', String(await freePort())],
      ['localhost:3000', `localhost:${hooksPort}`],
    ]
    if (cluster && script.includes('db.example')) {
      for (const user of ['clerk:secret', 'clerk'])
        examples.push([`postgres://${user}@db.example/frontdesk`, await cluster.database(user.replace(':', '_'))])
    }
    return examples.reduce((text, [example, real]) => text.replaceAll(example, real), script)
  }

  it('has a reason for each block that nothing types', () => {
    const all = [...pages, 'README.md', 'CONTRIBUTING.md'].flatMap((path) => blocksOf(page(path)).filter(isLines))
    const used = untyped.filter(([start]) => all.some(({text}) => text.startsWith(start)))
    expect(used).to.deep.equal(untyped)
    const alone = typedPages.filter((path) =>
      blocksOf(page(path)).some(({language, text}) => language === '' && isTyped({language, text})),
    )
    expect(alone).to.have.members(Object.keys(terminals))
  })

  for (const path of typedPages) {
    it(`runs every line of ${path}`, async function () {
      if (path === 'docs/deployment.md' && !cluster) this.skip()
      const env = furnish(home.home)
      // What the texts call your state, and the folder of your shop.
      if (path === 'docs/deployment.md') await home.frontdesk(['server', 'seed', 'demo'])
      writeFileSync(join(home.home, 'package.json'), '{"scripts": {"test": "node -e 0"}}')
      const receiver = blocksOf(page(path)).find(({text}) => text.startsWith('// hooks.mjs'))
      if (receiver) writeFileSync(join(home.home, 'hooks.mjs'), receiver.text.replace('3000', String(hooksPort)))
      const script = scriptsIn(page(path)).filter((text) => isTyped({language: 'sh', text}))
      const {code, output} = await shell(inBackground(await meant(script.join(''))), home.home, env)
      expect(code, output).to.equal(0)
      expect(output).to.not.match(/^\s+at .+:\d+:\d+\)?$/m)
      // What the receiver prints.
      if (receiver) expect(output).to.match(/^CustomerFirstNameSet \S+ \d+$/m)
    })
  }

  for (const [path, answersTo] of Object.entries(terminals)) {
    it(`runs every line of ${path} at a terminal, with the questions of login answered`, async function () {
      if (!hasPty()) this.skip()
      const env = {...furnish(home.home), STAGING_SECRET: runtime.secret, ID: runtime.clientId}
      writeFileSync(join(home.home, 'shop.env'), runtime.dotenv, {mode: 0o600})
      writeFileSync(join(home.home, 'secret.txt'), runtime.secret, {mode: 0o600})
      const lines = blocksOf(page(path)).filter((block) => isLines(block) && isTyped(block))
      const script = await meant(lines.map(({text}) => text).join(''))
      const terminal = new Pty([], {home: home.home, env, script: `set -eux\n${script}`, columns: 200})
      for (const [question, keys] of answersTo(runtime)) await terminal.answers(question, keys)
      expect(await terminal.ended, terminal.text).to.equal(0)
    })
  }
})
