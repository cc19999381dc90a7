import {spawn} from 'node:child_process'
import {mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {processLimitMs} from '../patience.js'
import {cleanEnvironment} from './binary.js'

/** The lines of a page, typed as they stand there. */

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block of a page. */
export interface Block {
  /** `sh` runs by itself; none is for a person, who answers what it asks. */
  readonly language: string
  readonly text: string
}

export const page = (path: string): string => readFileSync(join(root, path), 'utf8')

export const blocksOf = (text: string): readonly Block[] =>
  [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block.replaceAll(/^ {3}/gm, ''),
  }))

export const scriptsIn = (text: string): string[] =>
  blocksOf(text).flatMap(({language, text: script}) => (language === 'sh' ? [script] : []))

/** Puts what a page presupposes into a home: the command, and the fixtures of the clone. */
export function furnish(home: string): NodeJS.ProcessEnv {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/run.js')}' "$@"\n`
  writeFileSync(join(bin, 'frontdesk'), command, {mode: 0o755})
  symlinkSync(join(root, 'fixtures'), join(home, 'fixtures'))
  return {...cleanEnvironment(home), PATH: `${bin}:${process.env['PATH']}`}
}

/** Lines that run until somebody stops them; the former say that they listen. */
const listens = /^frontdesk (callback serve|server start(?!.*--detach))/
const follows = /^(frontdesk server requests --follow|frontdesk messages forward(?!.*--once)|node hooks)/

const untilItListens = 'for i in {1..600}; do grep -q listening said && break; sleep 0.1; done; rm said'

/** A script in which such lines run in the background. Its end stops them, and a server that was left. */
export const inBackground = (script: string): string =>
  `trap 'kill $(jobs -p) || :; frontdesk server stop || :' EXIT\n${script
    .split('\n')
    .map((line) => {
      if (listens.test(line)) return `{ ${line} & } > >(tee said >&2) 2>&1\n${untilItListens}`
      return follows.test(line) ? `${line} &` : line
    })
    .join('\n')}`

/** Runs a script in bash, which ends with its first line that fails. */
export function shell(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{code: number | null; output: string}> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-euxo', 'pipefail', '-c', script], {
      cwd,
      env,
      timeout: processLimitMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', reject)
    child.once('close', (code) => resolve({code, output}))
  })
}
