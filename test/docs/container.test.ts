import {type ChildProcess, execFile, spawn} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {promisify} from 'node:util'
import type {Command} from '@oclif/core'
import {Parser} from '@oclif/core'
import {expect} from 'chai'
import {parse} from 'yaml'
import {built, config, Desk, root} from '../cli/run.js'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The words of an instruction in its JSON form. */
const instruction = (name: string): string[] =>
  JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(read('Dockerfile'))?.[1] ?? '[]') as string[]

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const {port} = server.address() as {port: number}
      server.close(() => resolve(port))
    })
  })
}

const listening = ({stdout}: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    stdout?.once('data', resolve)
    stdout?.once('end', () => reject(new Error('the server did not start')))
  })

/** Whether the command line accepts these words, flags and all. */
async function accepts(words: readonly string[]): Promise<void> {
  const {commands} = await config()
  const id = [3, 2, 1]
    .map((length) => words.slice(0, length).join(':'))
    .find((name) => commands.some((c) => c.id === name))
  expect(id, words.join(' ')).to.be.a('string')
  const command = (await commands.find((c) => c.id === id)?.load()) as Command.Class
  const {args, flags, baseFlags, strict} = command
  await Parser.parse(words.slice((id ?? '').split(':').length), {args, flags: {...baseFlags, ...flags}, strict})
}

/** Command lines of `frontdesk` in a script of a pipeline, also those that another one runs. */
const linesOf = (script: string): string[] =>
  script
    .split(/\n| \| | && /)
    .flatMap((line) => [line, ...line.split(' -- ').slice(1)])
    .map((line) => line.trim().replace(/^npx |^docker exec .* (?=frontdesk )/, ''))
    .filter((line) => line.startsWith('frontdesk '))

describe('docs · container and pipeline', () => {
  it('starts the command of the Dockerfile, whose health check tells whether it answers', async () => {
    const desk = new Desk()
    const port = String(await freePort())
    const inFolder = (words: readonly string[]) => words.map((word) => word.replaceAll('8080', port))
    const [node, ...check] = healthCheck()
    expect(node).to.equal('node')
    const words = inFolder(instruction('CMD'))
    expect(instruction('ENTRYPOINT')).to.deep.equal(['frontdesk'])
    const healthy = () =>
      promisify(execFile)(process.execPath, inFolder(check)).then(
        () => true,
        () => false,
      )
    const child = spawn(process.execPath, [built, ...words], {
      env: {...process.env, ...desk.env, FRONTDESK_PROJECT_KEY: 'shop'},
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    try {
      await listening(child)
      expect(await healthy()).to.equal(true)
      const {stdout} = await desk.run(['server', 'env', '--project-key', 'shop'])
      expect(stdout).to.contain(`FRONTDESK_API_URL=http://localhost:${port}\n`)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
    expect(await healthy()).to.equal(false)
    desk.remove()
  })

  it('gives PostgreSQL to a server that the parser accepts', async () => {
    const {services} = parse(read('compose.yaml')) as {services: Record<string, {command?: string[]}>}
    const command = services['frontdesk']?.command ?? []
    await accepts(command)
    expect(command.join(' ')).to.contain('@postgres:5432')
    expect(Object.keys(services)).to.have.members(['frontdesk', 'postgres'])
  })

  it('runs commands in pipelines that the parser accepts', async () => {
    const scripts = readdirSync(join(root, 'docs/ci')).map(
      (name) => [name, scriptsIn(parse(read(`docs/ci/${name}`)))] as const,
    )
    for (const [name, script] of scripts) {
      const lines = linesOf(script)
      expect(lines, name).to.not.have.length(0)
      for (const line of lines) await accepts(line.split(/\s+/).slice(1))
    }
  })
})

const healthCheck = (): string[] =>
  JSON.parse(/HEALTHCHECK[^[]*CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[]

/** Every text below `run` or `script`, wherever it stands. */
function scriptsIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(scriptsIn).join('\n')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([name, inner]) => (name === 'run' || name === 'script' ? [inner].flat().join('\n') : scriptsIn(inner)))
    .join('\n')
}
