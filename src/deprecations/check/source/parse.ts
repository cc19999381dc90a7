import {createContext, Script} from 'node:vm'
import type {parse as Parse, ParserOptions} from '@babel/parser'
import type {Program} from '@babel/types'

/** Why a text is not read as JavaScript or TypeScript, and where (an index of the text). */
export interface SyntaxTrouble {
  readonly message: string
  readonly index: number
  /** Whether the text breaks the grammar; else it takes too much of the parser. */
  readonly isSyntax: boolean
}

/** Longer texts are bundles and data. A tree takes about 200 bytes for each character of a text. */
const maxLength = 2 ** 20

/** The parser's time: more than any real file takes, as there are texts that take it for hours. */
const minBudgetMs = 1000
const budgetMsPerMiB = 3000

const options: ParserOptions = {
  sourceType: 'unambiguous',
  errorRecovery: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowNewTargetOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
  attachComment: false,
}

/** `<T>x` asserts a type in these, and begins an element in all others. */
const withoutJsx = /\.[mc]?ts$/i

let job: () => unknown = () => undefined
const script = new Script('run()')
const context = createContext({run: () => job()})

/** Runs a function, and stops it at the end of its time with an error whose code is ERR_SCRIPT_EXECUTION_TIMEOUT. */
function within<T>(budgetMs: number, run: () => T): T {
  job = run
  return script.runInContext(context, {timeout: budgetMs}) as T
}

const codeOf = (error: unknown): unknown => (error as {readonly code?: unknown}).code

/** What stopped the parser. Throws what is no trouble of the text. */
function troubleOf(error: unknown): SyntaxTrouble {
  if (error instanceof SyntaxError) {
    const {pos} = error as SyntaxError & {readonly pos?: number}
    return {message: error.message.replace(/\s*\(\d+:\d+\)$/, ''), index: pos ?? 0, isSyntax: true}
  }
  if (error instanceof RangeError) return {message: 'nested too deep', index: 0, isSyntax: false}
  if (codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
    return {message: 'takes too long to parse', index: 0, isSyntax: false}
  throw error
}

/** The syntax tree of a text in one of the two grammars. */
function parseAs(text: string, isJsx: boolean, parse: typeof Parse): Program | SyntaxTrouble {
  const plugins: ParserOptions['plugins'] = isJsx ? ['typescript', 'decorators', 'jsx'] : ['typescript', 'decorators']
  const budgetMs = Math.ceil(minBudgetMs + (budgetMsPerMiB * text.length) / 2 ** 20)
  try {
    return within(budgetMs, () => parse(text, {...options, plugins})).program
  } catch (error) {
    return troubleOf(error)
  }
}

/** The syntax tree of a text, or why there is none. Errors that the parser recovers from are let pass. */
export async function parseSource(text: string, path: string): Promise<Program | SyntaxTrouble> {
  if (text.length > maxLength) return {message: `longer than ${maxLength / 2 ** 20} MiB`, index: 0, isSyntax: false}
  const {parse} = await import('@babel/parser')
  const isJsx = !withoutJsx.test(path)
  const first = parseAs(text, isJsx, parse)
  if (!('message' in first) || !first.isSyntax) return first
  // Names of files are not always right about elements.
  const second = parseAs(text, !isJsx, parse)
  return 'message' in second ? first : second
}
