import {spawnSync} from 'node:child_process'
import {chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {layOut, otherNode, type Place, type Step, steps, walk} from './journey.js'
import {type Manager, managers} from './managers.js'
import {type Node, nodes} from './toolchain.js'

/**
 * `npm run test:install [-- MANAGER…]`: packs the tree, installs it with every package manager on every Node, and uses it as
 * a user of a container would: without an entry in the list of users, without SHELL, from a folder that cannot be written
 * and whose path has blanks. Ends with 1 if anything fails, and says what it skipped.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const isRoot = process.getuid?.() === 0
const uid = 54_321
const limits = {packages: 75, bytes: 1_760_000}

interface Row {
  readonly manager: string
  readonly node: string
  readonly failures: Partial<Record<Step | 'install', string | undefined>>
}

function pack(to: string): string {
  const {status, stdout, stderr} = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', to], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm pack ended with ${status}: ${stderr}`)
  const name = readdirSync(to).find((file) => file.endsWith('.tgz')) ?? ''
  const {size} = statSync(join(to, name))
  console.log(`Packed: ${size} bytes, ${/"entryCount": (\d+)/.exec(stdout)?.[1]} files`)
  if (size > limits.bytes) throw new Error(`The package has ${size} bytes; ${limits.bytes} are the limit.`)
  return join(to, name)
}

/** Nobody may write below; everybody may read. */
function seal(folder: string): void {
  spawnSync('chmod', ['-R', 'a+rX,a-w', folder])
}

function unseal(folder: string): void {
  spawnSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, {recursive: true, force: true})
}

function install(manager: Manager, folder: string, env: NodeJS.ProcessEnv): string | undefined {
  const [program = '', ...words] = [...(manager.program ?? []), ...manager.install]
  const {status, stdout, stderr} = spawnSync(program, words, {cwd: folder, env, encoding: 'utf8', timeout: 300_000})
  return status === 0 ? undefined : `ended with ${status}: ${stdout}${stderr}`
}

async function combination(manager: Manager, node: Node, scratch: string): Promise<Row> {
  const name = `${manager.name} on ${node.name}`
  const folder = join(scratch, name, 'a project')
  const home = join(scratch, name, 'home')
  mkdirSync(folder, {recursive: true})
  mkdirSync(home)
  writeFileSync(join(folder, 'package.json'), '{"name": "a-project", "private": true}\n')
  manager.prepare?.(folder)
  const PATH = [node.bin, ...(process.env['PATH'] ?? '').split(delimiter)].join(delimiter)
  const failure = install(manager, folder, {...process.env, PATH})
  if (failure) return {manager: manager.name, node: node.name, failures: {install: failure}}
  layOut(folder)
  seal(folder)
  if (isRoot) chownSync(home, uid, uid)
  const env = {PATH, HOME: home, COREPACK_ENABLE_STRICT: '0', YARN_ENABLE_TELEMETRY: '0'}
  const place: Place = {folder, env, ...(isRoot ? {uid} : {})}
  const other = otherNode(node.name, place)
  if (other !== undefined) return {manager: manager.name, node: node.name, failures: {install: other}}
  const failures: Row['failures'] = {}
  for (const step of steps) {
    const problem = await walk(step, manager, place)
    if (problem !== undefined) failures[step] = problem
  }
  if (manager.name === 'npm') failures.install = tooMany(join(folder, 'node_modules'))
  return {manager: manager.name, node: node.name, failures}
}

/** npm's folder counts every package once. */
function tooMany(folder: string): string | undefined {
  const count = readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .reduce((sum, name) => sum + (name.startsWith('@') ? readdirSync(join(folder, name)).length : 1), 0)
  console.log(`Installed: ${count} packages`)
  return count > limits.packages ? `${count} packages; ${limits.packages} are the limit` : undefined
}

const columns = ['install', ...steps] as const
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function report(rows: readonly Row[]): void {
  console.log(line(['Manager', 'Node', ...columns]))
  console.log(line(['---', '---', ...columns.map(() => '---')]))
  for (const {manager, node, failures} of rows) {
    const cells = columns.map((step) =>
      failures[step] === undefined ? (failures.install && step !== 'install' ? '-' : 'ok') : 'FAILS',
    )
    console.log(line([manager, node, ...cells]))
  }
  for (const {manager, node, failures} of rows) {
    for (const [step, why] of Object.entries(failures)) if (why) console.log(`\n${manager} on ${node}, ${step}: ${why}`)
  }
}

const wanted = process.argv.slice(2)
const scratch = mkdtempSync(join(tmpdir(), 'frontdesk install-'))
chmodSync(scratch, 0o755)
try {
  const all = managers(pack(scratch)).filter(
    ({name}) => wanted.length === 0 || wanted.includes(name.split(' ')[0] ?? ''),
  )
  const {there, absent} = nodes()
  const skipped = [...absent, ...all.filter(({program}) => !program).map(({name}) => name)]
  if (skipped.length > 0) console.log(`Skipped, as they could not be fetched: ${skipped.join(', ')}`)
  if (!isRoot) console.log('Skipped: a user without an entry in the list of users, which only root can become')
  const rows: Row[] = []
  for (const manager of all.filter(({program}) => program)) {
    for (const node of there) rows.push(await combination(manager, node, scratch))
  }
  report(rows)
  if (rows.some(({failures}) => Object.values(failures).some((why) => why !== undefined))) process.exitCode = 1
} finally {
  unseal(scratch)
}
