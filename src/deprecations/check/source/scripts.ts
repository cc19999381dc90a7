import type {Text} from '../tree.js'

/** A component in two texts, each blank where the other is, so that indices are the file's. */
export interface Component {
  readonly script: Text
  readonly markup: Text
  /** The ending of a file with such a script. */
  readonly language: string
}

const component = /\.(?:vue|svelte|astro)$/i
const frontMatter = /^\s*---\r?\n/
const frontMatterEnd = /^---\s*$/gm
const scriptBegin = /<script(?=[\s>])/gi
const attributesEnd = /((?:[^>"']|"[^"]*"|'[^']*'){0,2000})>/y
const scriptEnd = /<\/script\s*>/gi
const javaScript = /^(?:module|(?:text|application)\/(?:javascript|ecmascript|typescript|babel)|jsx|tsx|ts|js)$/i

/** The index and the end of the first match behind an index. */
function firstFrom(pattern: RegExp, text: string, from: number): readonly [index: number, end: number] | undefined {
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found ? [found.index, pattern.lastIndex] : undefined
}

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']?([^\\s"'>]+)`, 'i').exec(attributes)?.[1]

/** Where the scripts of a component stand: Astro's front matter, and script elements that are JavaScript or TypeScript. */
function* rangesIn(text: string, path: string): Generator<{start: number; end: number; language: string}> {
  let at = 0
  const fence = /\.astro$/i.test(path) ? frontMatter.exec(text) : null
  if (fence) {
    const start = fence[0].length
    const end = firstFrom(frontMatterEnd, text, start)
    if (end) {
      yield {start, end: end[0], language: 'ts'}
      at = end[1]
    }
  }
  for (let begin = firstFrom(scriptBegin, text, at); begin; begin = firstFrom(scriptBegin, text, at)) {
    const opening = firstFrom(attributesEnd, text, begin[1])
    const end = opening && firstFrom(scriptEnd, text, opening[1])
    // What is not closed is markup up to the end.
    if (!end) return
    const attributes = text.slice(...opening)
    const language = attribute(attributes, 'lang') ?? (/\.astro$/i.test(path) ? 'ts' : 'js')
    if (javaScript.test(attribute(attributes, 'type') ?? 'module')) {
      yield {start: opening[1], end: end[0], language}
    }
    at = end[1]
  }
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')

/** The scripts and the markup of a Vue, Svelte or Astro component. Undefined for other files. */
export function scriptsIn(text: Text, path: string): Component | undefined {
  if (!component.test(path)) return undefined
  const {value} = text
  let [script, markup, language] = ['', '', 'js']
  for (const range of rangesIn(value, path)) {
    const {start, end} = range
    const between = value.slice(markup.length, start)
    // The semicolon stands for the first character behind the script before: it ends a statement that lacks its own.
    script += (script === '' ? '' : ';') + blank(between).slice(script === '' ? 0 : 1) + value.slice(start, end)
    markup += between + blank(value.slice(start, end))
    if (range.language !== 'js') language = range.language
  }
  return {script: {...text, value: script}, markup: {...text, value: markup + value.slice(markup.length)}, language}
}
