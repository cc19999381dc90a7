import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {homedir} from 'node:os'
import {dirname, join} from 'node:path'

/** The releases of Node and the package managers of the matrix, from npm. They are kept between runs, outside the clone. */

const majors = ['22', '24', '26']
const tools = {pnpm: 'pnpm@10.34.8', yarn1: 'yarn@1.22.22', yarn4: '@yarnpkg/cli-dist@4.18.1'} as const

export type Tool = keyof typeof tools

export interface Node {
  readonly name: string
  /** Folder of its `node`. */
  readonly bin: string
}

/** Where every user can read, if this process may become another one: the home of root is closed to them. */
const kept =
  process.env['FRONTDESK_TEST_TOOLS'] ??
  (process.getuid?.() === 0 ? '/var/cache/frontdesk-test' : join(homedir(), '.cache', 'frontdesk-test'))

/** The folder that has the package, which is fetched if need be; undefined if it cannot be had. */
function fetched(name: string, spec: string): string | undefined {
  const folder = join(kept, name)
  const found = join(folder, 'node_modules', spec.replace(/(?!^)@[^@]*$/, ''))
  if (existsSync(join(found, 'package.json'))) return found
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  const {status} = spawnSync('npm', ['install', spec, '--no-save', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 300_000,
  })
  spawnSync('chmod', ['-R', 'a+rX', kept])
  return status === 0 && existsSync(join(found, 'package.json')) ? found : undefined
}

/** The Node of the machine first; the others as npm's package `node` brings them. */
export function nodes(): {readonly there: readonly Node[]; readonly absent: readonly string[]} {
  const own = {name: process.versions.node.split('.')[0] ?? '', bin: dirname(process.execPath)}
  const others = majors
    .filter((major) => major !== own.name)
    .map((major) => ({name: major, folder: fetched(major, `node@${major}`)}))
  return {
    there: [own, ...others.flatMap(({name, folder}) => (folder ? [{name, bin: join(folder, 'bin')}] : []))],
    absent: others.flatMap(({name, folder}) => (folder ? [] : [`Node ${name}`])),
  }
}

/** The program of a package manager; undefined if it cannot be had. */
export function toolProgram(tool: Tool): string | undefined {
  const folder = fetched(tool, tools[tool])
  return folder && join(folder, 'bin', tool === 'pnpm' ? 'pnpm.cjs' : 'yarn.js')
}
