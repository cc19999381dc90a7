import {createInterface, type Interface} from 'node:readline'
import {promptInterrupted} from '../input/ask.js'
import {Closed, saidYes, WentBack} from '../input/keys.js'
import {Failure} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'
import {
  type Choice,
  type Choices,
  endWords,
  newCustomer,
  type Prompter,
  type Search,
  type Standing,
  standingText,
} from './prompter.js'

/**
 * The desk in plain lines, for a terminal that moves no cursor and for screen readers: one question a line, numbers to
 * choose from, nothing redrawn.
 */
export function linePrompter(io: Io, standing: Standing): Prompter {
  const lines = linesOf(io, standing)
  const {ask, print} = lines
  /** A command knows an interruption, and no steps back. */
  const askForCommand = (message: string) => ask(message).catch(() => Promise.reject(promptInterrupted()))
  return {
    ...lines,
    prompts: {
      text: askForCommand,
      yes: async (message) => answerOf(await askForCommand(`${message} ${yesOrNo}`)) === true,
      choice: async (message, choices) => {
        print(numbered(choices.map((label) => ({label}))))
        for (;;) {
          const at = Number(await askForCommand(`${message} Number:`))
          if (Number.isInteger(at) && at >= 1 && at <= choices.length) return at - 1
        }
      },
      hidden: () =>
        Promise.reject(
          new Failure('needsAnswer', 'AnswerNeeded', 'A secret cannot be typed unseen on this terminal.', {
            hints: ['Use another terminal, or the command itself with a file or stdin.'],
          }),
        ),
    },
    search: (search) => picked(lines, search),
    command: ask,
    key: ask,
    line: ask,
    confirm: async (question) => answerOf(await ask(`${question} ${yesOrNo}`)),
    clear: () => print('What was shown once above is not for the next customer: clear the screen.\n'),
    waiting: (what) => {
      const timer = setTimeout(() => print(`waiting: ${what}\n`), noticedMs)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
}

type Lines = ReturnType<typeof linesOf>

/** One question at a time, and the line that answers it. */
function linesOf({stdin, stderr}: Io, standing: Standing) {
  let reader: Interface | undefined
  let waiting: {readonly resolve: (line: string) => void; readonly reject: (error: Error) => void} | undefined
  let isClosed = false
  const settle = () => {
    const settled = waiting
    waiting = undefined
    return settled
  }
  const print = (text: string): void => void stderr.write(text)
  const open = (): Interface => {
    const opened = createInterface({input: stdin, terminal: false})
    // A line that answers no question was typed too early, and could say yes to the wrong one.
    opened.on('line', (line) => settle()?.resolve(line))
    opened.on('close', () => {
      isClosed = true
      settle()?.reject(new Closed())
    })
    return opened
  }
  return {
    print,
    ask: (message: string): Promise<string> => {
      reader ??= open()
      print(`${standingText(standing)} > ${oneLine(message)} `)
      return new Promise((resolve, reject) => {
        if (isClosed) reject(new Closed())
        else waiting = {resolve, reject}
      })
    },
    interrupt: (): boolean => {
      if (!waiting) return false
      print('\n')
      settle()?.reject(new WentBack())
      return true
    },
    close: (): void => reader?.close(),
  }
}

async function picked({ask, print}: Lines, {message, typed, find}: Search) {
  const first = `${message} (part of a name, email or number; ${newCustomer} a new customer; . ends)`
  const again = `another search, or ${newCustomer} for a new customer:`
  let [text, about] = [typed, '']
  for (;;) {
    if (text.trim() === '') text = (await ask(first)).trim()
    if (endWords.test(text)) throw new Closed()
    if (text === newCustomer) return {id: newCustomer, typed: about}
    about = text
    const {found, note} = await find(text, new AbortController().signal).catch(
      (error: Error): Choices => ({found: [], note: error.message}),
    )
    const [only] = found
    if (only && found.length === 1) return {id: only.id, typed: text}
    if (note !== undefined || found.length === 0) print(`${note ?? 'Nobody is found.'}\n`)
    print(numbered(found))
    for (;;) {
      const answer = (await ask(found.length > 0 ? `Number, ${again}` : `A${again.slice(1)}`)).trim()
      const isNumber = found.length > 0 && /^\d{1,2}$/.test(answer)
      const choice = isNumber ? found[Number(answer) - 1] : undefined
      if (choice) return {id: choice.id, typed: about}
      text = answer
      if (!isNumber) break
      print(`There is no number ${answer} in the list.\n`)
    }
  }
}

const numbered = (choices: readonly Omit<Choice, 'id'>[]): string =>
  choices.map(({label, above}, at) => `${above === undefined ? '' : `${above}\n`}${at + 1}. ${label}\n`).join('')

const noticedMs = 1000
const yesOrNo = '(y or Enter, n)'

/** An empty line is Enter. */
const answerOf = (line: string): boolean | string => (line.trim() === '' ? true : saidYes(line.trim()))
