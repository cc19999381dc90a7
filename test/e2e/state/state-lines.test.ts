import {execFileSync, spawnSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {openSandbox} from '../binary.js'
import {blocksOf, furnish, page} from '../typed.js'

/** What the pages show of the files of a project, typed as it stands there. */

const hasJq = spawnSync('jq', ['--version']).status === 0

const sameIds = (text: string): string => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')

/** The commands of a block that shows a terminal, each with what it prints. */
const shown = (text: string): {typed: string; printed: string}[] =>
  text.split(/^\$ /m).flatMap((part) => {
    const [typed = '', ...lines] = part.split('\n')
    return typed === '' ? [] : [{typed, printed: lines.join('\n')}]
  })

/** What `jq` makes of the lines where there is none: the customers in effect. */
function customersIn(folder: string): {email: string; version: number}[] {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort((one, other) => Number(one.split('.')[1]) - Number(other.split('.')[1]))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
  const last = new Map<string, {email: string; version: number} | undefined>()
  for (const line of lines) {
    const {kind, id, doc} = JSON.parse(line)
    if (kind === 'customer') last.set(id, doc && {email: doc.email, version: doc.version})
  }
  return [...last.values()].filter((doc) => doc !== undefined)
}

describe('e2e · the lines of a state', () => {
  const sandbox = openSandbox()
  const env = {...furnish(sandbox.home), FRONTDESK_DATA_DIR: sandbox.data}
  after(() => sandbox.remove())

  it('are as docs/deployment.md shows them', () => {
    const blocks = blocksOf(page('docs/deployment.md')).filter(({language}) => language === 'console')
    const commands = blocks.flatMap(({text}) => shown(text))
    expect(commands.length).to.be.greaterThan(3)
    for (const [at, {typed, printed}] of commands.entries()) {
      if (typed.includes('jq') && !hasJq) continue
      const folders = commands.slice(0, at).filter((one) => one.typed.startsWith('cd '))
      const script = ['set -euo pipefail', ...folders.map((one) => one.typed), typed].join('\n')
      const output = execFileSync('bash', ['-c', script], {cwd: sandbox.home, env, encoding: 'utf8', stdio: 'pipe'})
      expect(sameIds(output), typed).to.equal(sameIds(printed))
    }
    const last = commands.at(-1)?.printed ?? ''
    expect(customersIn(join(sandbox.data, 'shop'))).to.deep.equal(
      last
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  })

  it('show what src/README.md says, also of a customer who changed and of one who was removed', async () => {
    const create = ['customers', 'create', '--external-auth', '--project-key', 'demo']
    for (const name of ['bob', 'eve'])
      await sandbox.frontdesk([...create, '--email', `${name}@example.com`, '--key', name])
    const at = ['--project-key', 'demo']
    await sandbox.frontdesk(['customers', 'update', 'key=bob', '--set', 'firstName=Bob', ...at])
    await sandbox.frontdesk(['customers', 'delete', 'key=eve', '--yes', ...at])
    expect(customersIn(join(sandbox.data, 'demo'))).to.deep.equal([{email: 'bob@example.com', version: 2}])
    const [, typed = ''] = /`(jq .*?)`/.exec(page('src/README.md')) ?? []
    expect(typed).to.include('demo/*.jsonl')
    if (!hasJq) return
    const output = execFileSync('bash', ['-c', typed.replace('jq ', 'jq -c ')], {cwd: sandbox.data, encoding: 'utf8'})
    const docs = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    // All versions, and a null where one was removed.
    expect(docs.map((doc) => doc && `${doc.key}${doc.version}`)).to.have.members(['bob1', 'bob2', 'eve1', null])
  })
})
