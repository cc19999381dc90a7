import {spawn} from 'node:child_process'
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** Copies of the tree, in which sources are changed and tests run. */

export const root = fileURLToPath(new URL('../../../', import.meta.url))
const copied = ['src', 'test', 'commands', 'bin', 'docs', 'fixtures', 'package.json', 'tsconfig.json']

interface Report {
  readonly stats: {readonly tests: number; readonly failures: number}
  readonly failures: readonly {readonly fullTitle: string; readonly file: string}[]
}

/** Test files below folders of the project; none of a folder that is not there. */
export const testFilesIn = (folders: Iterable<string>): string[] =>
  [...folders].flatMap((folder) =>
    readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`),
  )

export function copyOfTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-mutations-'))
  for (const name of copied) cpSync(join(root, name), join(folder, name), {recursive: true})
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs tests of a copy; nothing if they do not end or do not even load. */
export function testsOf(
  folder: string,
  files: readonly string[],
  {bail, timeout}: {bail: boolean; timeout: number},
): Promise<Report | undefined> {
  const report = join(folder, 'report.json')
  rmSync(report, {force: true})
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
  const flags = ['--no-config', '--require=./test/typescript.cjs', '--timeout=120000', '--exit', '--reporter=json']
  if (bail) flags.push('--bail')
  const child = spawn(process.execPath, [mocha, ...flags, `--reporter-option=output=${report}`, ...files], {
    cwd: folder,
    stdio: 'ignore',
    timeout,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve) => {
    child.once('close', () => {
      try {
        resolve(JSON.parse(readFileSync(report, 'utf8')) as Report)
      } catch {
        resolve(undefined)
      }
    })
  })
}
