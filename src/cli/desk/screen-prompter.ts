import {type Ask, inquirerAt, type Prompts, terminalPrompts} from '../input/ask.js'
import {Closed, confirmed, pressed, typedAtOnce} from '../input/keys.js'
import {wrappedLines} from '../output/wrap.js'
import type {Io} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'
import {clearedLine, unguarded, withMethods} from '../process/terminal.js'
import {
  beforeNew,
  endWords,
  newCustomer,
  type Picked,
  type Prompter,
  type Search,
  type Standing,
  standingText,
} from './prompter.js'

/** The desk on a terminal that can be redrawn: inquirer's prompts, and keys that need no Enter. */

const clearScreen = '\u001B[H\u001B[2J\u001B[3J'
const unnoticedMs = 300
const secondMs = 1000

interface ScreenOptions {
  readonly io: Io
  readonly colour: boolean
  readonly standing: Standing
  readonly columns: () => number
  readonly widthOf: (text: string) => number
}

export async function screenPrompter({io, colour, standing, columns, widthOf}: ScreenOptions): Promise<Prompter> {
  const terminal = unguarded(io.stderr)
  const output = forPrompts(terminal, colour)
  const keyboard = {stdin: io.stdin, stderr: output}
  const prefix = prefixFor(standing)
  const ask = await inquirerAt(keyboard, {prefix, style: uncoloured})
  const before = (message: string): string => wrappedLines(`${prefix} ${oneLine(message)}`, columns(), widthOf)
  let endWait: () => void = () => undefined
  const plainPrompts = await terminalPrompts({...io, stderr: output})
  /** The prompts of a command that is waited for: nobody counts the seconds while a question stands there. */
  const asCommand = (): Prompts => {
    endWait()
    return plainPrompts
  }
  terminal.write(titled(oneLine(`${standingText(standing)} (${standing.projectKey})`)))
  return {
    prompts: {
      text: (message, byDefault) => asCommand().text(`${prefix} ${message}`, byDefault),
      hidden: (message) => asCommand().hidden(`${prefix} ${message}`),
      choice: (message, choices) => asCommand().choice(`${prefix} ${message}`, choices),
      yes: (message) => asCommand().yes(before(message)),
    },
    search: (search) => picked(ask, search),
    command: (message) => typedAtOnce(keyboard, before(message)),
    key: (message) => pressed(keyboard, before(message)),
    confirm: (question) => confirmed(keyboard, before(question)),
    line: (message) => ask<string>({type: 'input', message: oneLine(message)}),
    print: (text) => {
      io.stderr.write(text)
    },
    clear: () => {
      terminal.write(clearScreen)
    },
    waiting: (what) => {
      endWait = waiting(io, what)
      return endWait
    },
    close: () => {
      terminal.write(formerTitle)
    },
  }
}

/** Saves the title of the window and sets another one; `formerTitle` brings the old one back. */
const titled = (title: string): string => `\u001B[22;2t\u001B]2;${title} - frontdesk desk\u0007`
const formerTitle = '\u001B[23;2t'

/** `production (protected) ▸`, red and inverse where a slip would cost something. */
const prefixFor = (standing: Standing): string => {
  const text = oneLine(standingText(standing))
  return `${standing.isProtected ? `\u001B[31m\u001B[7m ${text} \u001B[27m\u001B[39m` : text} ▸`
}

const asItIs = (text: string): string => text

/** Inquirer's cyan is hard to read on a light background; bold stands out on any. */
const uncoloured = {answer: asItIs, highlight: (text: string) => `\u001B[1m${text}\u001B[22m`, searchTerm: asItIs}

/** The id behind a list that narrows as one types. Enter where nobody is found asks for another name. */
async function picked(ask: Ask, {message, typed, find}: Search): Promise<Picked> {
  let term = typed
  const source = async (text: string | undefined, {signal}: {readonly signal: AbortSignal}): Promise<object[]> => {
    term = text ?? ''
    if (endWords.test(term)) return [{name: 'end the session', value: quit}]
    if (beforeNew(term) !== undefined) return [toMake]
    const {found, note} = await find(term, signal)
    if (found.length === 0 && term.trim() !== '') return [{name: note ?? '', short: 'nobody', value: ''}]
    return [
      ...(note === undefined ? [] : [remark(note)]),
      ...found.flatMap(({id, label, above}) => [
        ...(above === undefined ? [] : [remark(above)]),
        {name: label, short: label.split('  ')[0], value: id},
      ]),
    ]
  }
  const id = await ask<string>({
    type: 'search',
    message: oneLine(message),
    source,
    pageSize: 20,
    ...(typed === '' ? {} : {initialValue: typed}),
  })
  if (id === quit) throw new Closed()
  if (id === '') return picked(ask, {message, typed: '', find})
  return {id, typed: beforeNew(term) ?? term}
}

const quit = 'quit'
const toMake = {name: 'make a new customer', value: newCustomer}

/** A line of the list that cannot be chosen. */
const remark = (name: string) => ({name, value: '', disabled: ' '})

/**
 * The stream for inquirer: it stays open after a prompt, and has no styles where no colour is wanted, since the themes
 * know no NO_COLOR on every Node.
 */
function forPrompts<S extends NodeJS.WritableStream>(stream: S, colour: boolean): S {
  const write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
    stream.write(colour ? chunk : String(chunk).replace(/\u001B\[[\d;]*m/g, ''), ...rest)
  return withMethods(stream, {write, end: () => undefined})
}

/** A line that counts the seconds, once the wait is long enough to be noticed. */
function waiting({stderr}: Io, what: string): () => void {
  let seconds = 0
  const clear = (): void => void (seconds > 0 && stderr.write(clearedLine))
  const show = (): void => {
    clear()
    stderr.write(`waiting: ${what}${seconds === 0 ? '' : `, ${seconds} s`} `)
    seconds += 1
    timer = setTimeout(show, secondMs).unref()
  }
  let timer = setTimeout(show, unnoticedMs).unref()
  return () => {
    clearTimeout(timer)
    clear()
    seconds = 0
  }
}
