import {type MutationGroup, of} from './mutation.js'

/** What a terminal obeys of texts that others wrote. */

const terminal = of('src/cli/process/terminal.ts')
const sanitize = of('src/cli/process/sanitize.ts')
const ask = of('src/cli/input/ask.ts')
const start = of('src/cli/command/main.ts')
const exported = of('src/cli/bulk/export.ts')
const csv = of('src/cli/output/render.ts')

export const terminals: MutationGroup = {
  folders: [],
  tests: [
    'cli/output/terminal-guard',
    'cli/output/terminal-safety',
    'cli/secrets/ask',
    'cli/output/sanitize',
    'cli/output/render',
  ],
  mutations: [
    terminal('styles of any kind pass', '(?:[0-24]|2[0-24]|3[0-79]|9[0-7])?m/g', '[0-9;]*[A-Za-z]/g'),
    sanitize('JSON is raw', '.replace(unsafe, jsonEscape)', ''),
    sanitize('tag characters are raw', '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e007f}]|', ']|'),
    sanitize('a debug text forges lines', '`${oneLine(head)}${manyLines(frames)}`', 'manyLines(stack)'),
    ask('prompts move the cursor', 'return safely(this.#prompts ??', 'return (this.#prompts ??'),
    start(
      'debug texts of a start reach the terminal raw',
      'const io = given ? guardedIo(given) : processIo',
      'const io = given ?? processIo',
    ),
    exported('an exported cell forges lines', 'cell: oneLine,', 'cell: (text) => text,'),
    exported('exported JSON is escaped as text', 'json: (one) => jsonText(one)', 'json: (one) => JSON.stringify(one)'),
    csv('a queried cell forges lines', 'style.terminal ? oneLine(text) : text', 'text'),
  ],
}
