import {readFileSync, writeFileSync} from 'node:fs'
import {userInfo} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {Screen} from '../cli/desk/screen.js'
import {openSandbox} from '../e2e/binary.js'
import {Pty} from '../e2e/pty.js'
import {withBlock} from './tables.js'

/**
 * Records a call at the desk: the built command in a pseudo-terminal, with a person who types. Writes docs/call.cast for
 * players of asciicasts, and its screens into docs/support.md and README.md. Run it with `npm run cast` after a build.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const columns = 80
const enter = '\r'
const menu = 'What next?'

/** What is waited for, and what is typed then. */
const call: readonly (readonly [seen: string, keys: string])[] = [
  ['Who is calling?', 'haz brandv'],
  ['❯ Dr. Hazel', enter],
  [menu, 'r'],
  ['Ticket', `CS-1731${enter}`],
  ['Reason', `lost the password${enter}`],
  [menu, '?'],
  [menu, 'e'],
  ['New email address:', `hazel@brandvold.example${enter}`],
  ['n or esc', enter],
  [menu, 'u'],
  [menu, 'h'],
  [menu, '.'],
]

/** How long a step may take before the recording gives up. */
const stepMs = 20_000

/** Seconds before a person types, between two keys, and until what a key causes is seen. */
const [thinking, typing, answering] = [1.6, 0.09, 0.4]

/** What differs from run to run and from machine to machine: tokens, ids, moments and who records. */
const normalised = (text: string): string =>
  text
    .replace(/(?<![\w-])[A-Za-z0-9_-]{40}(?![\w-])/g, 'kJ3vPq8sX0mZr5LtWc2dYb7NfGh4uAeS9iKo1RxT')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => (id === hazel ? id : other))
    .replace(/client [\w-]{8,24}(?:…|\b)/g, 'client support-eu')
    .replaceAll(`${userInfo().username}, with this tool`, 'mia, with this tool')
    .replace(/(?<=tomorrow\s+)\d\d:\d\d/g, '13:28')
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-11-23T13:28:04.000Z')

const hazel = '1a6d66fe-b045-4294-88fa-3a4ddaf9d263'
const other = '7f0c1d52-8a4e-4b3c-9d21-5e6f7a8b9c0d'

interface Recorded {
  readonly seconds: number
  readonly text: string
}

async function record(): Promise<Recorded[]> {
  const sandbox = openSandbox()
  const env = {FRONTDESK_DATA_DIR: sandbox.data}
  try {
    const seeded = await sandbox.frontdesk(['server', 'seed', join(root, 'fixtures/demo')], {env})
    if (seeded.code !== 0) throw new Error(seeded.stderr)
    const desk = new Pty(['desk'], {home: sandbox.home, columns, env, patience: stepMs})
    const marks: {readonly at: number; readonly pause: number}[] = []
    for (const [seen, keys] of call) {
      await desk.answers(seen)
      for (const [index, key] of Array.from(keys).entries()) {
        marks.push({at: desk.text.length, pause: index === 0 ? thinking : key === enter ? answering : typing})
        desk.types(key)
        if (keys.length > 1 && key !== enter) await desk.grows()
      }
    }
    if ((await desk.ended) !== 0) throw new Error(desk.text)
    return cut(desk.text, marks)
  } finally {
    sandbox.remove()
  }
}

/** The output between two keys, each at its time. */
function cut(text: string, marks: readonly {readonly at: number; readonly pause: number}[]): Recorded[] {
  let seconds = 0
  const starts = [{at: 0, pause: 0}, ...marks]
  return starts.map(({at, pause}, index) => {
    seconds += pause
    return {seconds, text: normalised(text.slice(at, starts[index + 1]?.at))}
  })
}

const clear = '\u001B[H\u001B[2J\u001B[3J'

const castOf = (recorded: readonly Recorded[]): string =>
  [
    {version: 2, width: columns, height: 40, title: 'A call at the desk', env: {TERM: 'xterm-256color'}},
    ...recorded.filter(({text}) => text !== '').map(({seconds, text}) => [Number(seconds.toFixed(2)), 'o', text]),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

/** The screens of the call up to the question that follows so many actions, as a block of a page. */
function screens(recorded: readonly Recorded[], actions: number): string {
  const [text = ''] = recorded
    .map((one) => one.text)
    .join('')
    .split(clear)
  const shown = new Screen(columns)
    .written(text)
    .text.split(menu)
    .slice(0, actions + 1)
    .join(menu)
  return ['```text', '$ frontdesk desk', `${shown}${menu}`, '```'].join('\n')
}

const recorded = await record()
writeFileSync(join(root, 'docs/call.cast'), castOf(recorded))
for (const {path, actions} of [
  {path: join(root, 'docs/support.md'), actions: 1},
  {path: join(root, 'README.md'), actions: 0},
]) {
  writeFileSync(path, withBlock(readFileSync(path, 'utf8'), 'call', screens(recorded, actions)))
}
