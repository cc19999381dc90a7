import {emitKeypressEvents} from 'node:readline'
import type {Io} from '../process/io.js'
import {clearedLine} from '../process/terminal.js'

/** Single keys of a terminal, without Enter. */

/** Ctrl-C at a question: one step back. */
export class WentBack extends Error {
  override readonly name = 'WentBack'
}

/** The input has ended, or the person ends the session. */
export class Closed extends Error {
  override readonly name = 'Closed'
}

export type Input = Io['stdin'] & {setRawMode?: (on: boolean) => unknown}

export interface Keyboard {
  readonly stdin: Input
  readonly stderr: Io['stderr']
}

export interface Key {
  readonly ctrl?: boolean
  readonly meta?: boolean
  readonly name?: string
  readonly sequence?: string
}

/** What a person pressed: a printable character, or a key that does something. */
type Pressed = {readonly text: string} | {readonly key: 'enter' | 'escape'}

/** Keys that come closer together than this are typed as one word; an Enter that comes so soon confirms nothing. */
const burstMs = 150

/**
 * Takes keys until one of them settles the question. What was typed before it was asked is dropped, as inquirer does.
 * Ctrl-C throws WentBack; Ctrl-D and the end of the input throw Closed.
 */
async function keysUntil<T>(
  {stdin, stderr}: Keyboard,
  question: string,
  take: (done: (value: T) => void) => (key: Pressed) => void,
): Promise<T> {
  emitKeypressEvents(stdin)
  stdin.setRawMode?.(true)
  stdin.resume()
  await new Promise((resolve) => setImmediate(resolve))
  stderr.write(question)
  let stop: () => void = () => undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      const taken = take(resolve)
      const onEnd = (): void => reject(new Closed())
      const onKey = (text: string | undefined, {ctrl, meta, name, sequence = ''}: Key): void => {
        // Readline tells an Escape and what soon follows it as one key.
        if (meta && /^\u001B.$/su.test(sequence)) {
          taken({key: 'escape'})
          text = sequence.slice(1)
        }
        if (ctrl && name === 'c') reject(new WentBack())
        else if (ctrl && name === 'd') onEnd()
        else if (name === 'return' || name === 'enter') taken({key: 'enter'})
        else if (name === 'escape') taken({key: 'escape'})
        else if (!ctrl && text !== undefined && /^[^\u0000-\u001f\u007f]$/u.test(text)) taken({text})
      }
      stdin.on('keypress', onKey)
      stdin.once('end', onEnd)
      stop = () => {
        stdin.removeListener('keypress', onKey)
        stdin.removeListener('end', onEnd)
      }
    })
  } catch (error) {
    stderr.write('\n')
    throw error
  } finally {
    stop()
    stdin.setRawMode?.(false)
    stdin.pause()
  }
}

/** One key. Escape is a step back. */
export async function pressed(keyboard: Keyboard, message: string): Promise<string> {
  const key = await keysUntil<string | undefined>(keyboard, `${message} `, (done) => (one) => {
    if ('text' in one) done(one.text)
    else if (one.key === 'escape') done(undefined)
  })
  keyboard.stderr.write(`${key ?? ''}\n`)
  if (key === undefined) throw new WentBack()
  return key
}

/** Gathers characters that follow each other at once. */
class Burst {
  text = ''
  #timer: NodeJS.Timeout | undefined

  add(text: string, done: (text: string) => void): void {
    this.text += text
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => done(this.text), burstMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** One key, or the text of several that come at once. */
export async function typedAtOnce(keyboard: Keyboard, message: string): Promise<string> {
  const burst = new Burst()
  const take = (done: (text: string) => void) => (one: Pressed) => {
    if ('text' in one) burst.add(one.text, done)
    else if (one.key === 'enter' && burst.text !== '') done(burst.text)
  }
  const text = await keysUntil<string>(keyboard, `${message} `, take).finally(() => burst.stop())
  keyboard.stderr.write(`${text}\n`)
  return text
}

/** Any other text is handed back. */
export function saidYes(text: string): boolean | string {
  if (/^y(es)?$/i.test(text)) return true
  return /^no?$/i.test(text) ? false : text
}

/**
 * `y` or Enter is yes, `n` or Escape no, once the question could be read. Any other text was meant for something else.
 */
export async function confirmed(keyboard: Keyboard, question: string): Promise<boolean | string> {
  const {stderr} = keyboard
  const burst = new Burst()
  let isOpen = false
  let isEarly = false
  const meant = (text: string): boolean | string => (isEarly ? text : saidYes(text))
  const opening = setTimeout(() => {
    isOpen = true
    stderr.write('  y or enter · n or esc ')
  }, burstMs)
  const take = (done: (answer: boolean | string) => void) => (one: Pressed) => {
    if ('text' in one) {
      isEarly ||= !isOpen
      burst.add(one.text, (text) => done(meant(text)))
    } else if (one.key === 'escape') done(false)
    else if (burst.text !== '') done(meant(burst.text))
    else if (isOpen) done(true)
  }
  const answer = await keysUntil<boolean | string>(keyboard, `${question}\n`, take).finally(() => {
    burst.stop()
    clearTimeout(opening)
  })
  if (typeof answer === 'string') stderr.write(clearedLine)
  else stderr.write(answer ? 'yes\n' : 'no\n')
  return answer
}
