import {entryOf} from '../catalogue/index.js'
import {type FileContext, type Gathered, noteScopes} from './context.js'
import {crossCheck, type Evidence} from './evidence.js'
import {type Finding, findingOf, type Lines, linesOf, type Note} from './finding.js'
import {checkGraphql} from './graphql.js'
import {checkHar, isHar} from './har.js'
import {JsonTrouble, readJson} from './json-reader.js'
import {kindOf, type SourceKind} from './kind.js'
import {checkJsonLines, checkPayload} from './payload.js'
import {type Place, placeOf} from './place.js'
import {checkPlainText} from './plain-text.js'
import type {Hit} from './rules.js'
import {scopesIn} from './scopes.js'
import {fileText, type Text} from './tree.js'
import {checkUrl} from './url.js'

export interface CheckOptions {
  /** The ISO day on which things are judged. Absent: as the interface leaves them. */
  readonly asOf?: string
  /** Rule ids that are not looked for. */
  readonly ignore?: readonly string[]
  /** Where payloads are sent: `POST /carts`. Ill-formed: nothing is known of them. */
  readonly request?: string
}

export interface CheckInput {
  /** How findings name the text. */
  readonly path: string
  readonly text: string
  /** Absent: guessed by the name, else by the text. */
  readonly kind?: SourceKind
}

export interface CheckResult {
  readonly path: string
  readonly findings: readonly Finding[]
  readonly notes: readonly Note[]
  /** How many requests, bodies, lines or documents were read; 0 for a text that holds none or is not what it claims. */
  readonly entries: number
  readonly isFile?: true
}

/** What places the hits of a file, and lets some pass. */
interface Checked {
  readonly path: string
  readonly lines: Lines
  readonly ignores: ReturnType<typeof ignoresIn>
}

interface Run {
  readonly options: CheckOptions
  readonly ignored: ReadonlySet<string>
  readonly evidence: Evidence[]
  /** The files with scopes in them, which `finish` looks at again; the text of any other need not be kept. */
  readonly files: Map<string, Checked>
}

const byPlace = (a: Finding, b: Finding): number =>
  a.line - b.line || a.column - b.column || (a.ruleId < b.ruleId ? -1 : 1)

/** The findings of hits: each rule once at a place, without what options or comments let pass. */
const findingsOf = (hits: readonly Hit[], {path, lines, ignores}: Checked, run: Run): readonly Finding[] => {
  const seen = new Set<string>()
  return hits
    .flatMap((hit): Finding[] => {
      const place = `${hit.offset} ${hit.entry.id}`
      if (seen.has(place) || run.ignored.has(hit.entry.id)) return []
      seen.add(place)
      const finding = findingOf(hit, path, lines, run.options.asOf)
      return finding && !ignores.covers(finding.line, finding.ruleId) ? [finding] : []
    })
    .sort(byPlace)
}

interface Reading {
  readonly text: Text
  readonly kind: SourceKind
  readonly places: readonly Place[]
  readonly context: FileContext
}

async function checkJsonFile({text, kind, places, context}: Reading): Promise<number> {
  const root = readJson(text)
  if (kind === 'har' || isHar(root)) return checkHar(root, context)
  await checkPayload(root, places, context)
  return root.kind === 'array' ? root.items.length : 1
}

async function checkGraphqlFile({text, context}: Reading): Promise<number> {
  const trouble = await checkGraphql(text, context)
  if (trouble) context.gathered.notes.push({...trouble, message: `not GraphQL: ${trouble.message}`, isUnread: true})
  return trouble ? 0 : 1
}

/** Each returns how many entries it read. */
const readers: Readonly<Record<SourceKind, (reading: Reading) => Promise<number>>> = {
  json: checkJsonFile,
  har: checkJsonFile,
  jsonl: ({text, places, context}) => checkJsonLines(text, places, context),
  graphql: checkGraphqlFile,
  text: async ({text, context}) => {
    checkPlainText(text, context)
    return text.value.trim() === '' ? 0 : 1
  },
  scopes: async ({text, context}) => {
    const scopes = scopesIn(text, true)
    noteScopes(scopes, context)
    return scopes.length > 0 ? 1 : 0
  },
}

const signsOfPlatform = /commercetools|sphere\.io|project_?key|\bCTP_|apiRoot|\/in-store\/key=/i

const checkText = async ({path, text, kind = kindOf(path, text)}: CheckInput, run: Run): Promise<CheckResult> => {
  const hits: Hit[] = []
  const gathered: Gathered = {scopeLists: [], operations: [], notes: []}
  const {scopeLists, operations, notes} = gathered
  const context: FileContext = {emit: (hit) => hits.push(hit), gathered, isKnown: signsOfPlatform.test(text)}
  const place = placeOf(run.options.request ?? '')
  const reading = {text: fileText(text), kind, places: place ? [place] : [], context}
  const entries = await readers[kind](reading).catch((error: unknown) => {
    if (!(error instanceof JsonTrouble)) throw error
    notes.push({message: `not JSON: ${error.message}`, offset: error.offset, isUnread: true})
    return 0
  })
  const file = {path, lines: linesOf(text), ignores: ignoresIn(text)}
  if (scopeLists.length > 0) run.files.set(path, file)
  if (scopeLists.length > 0 || operations.length > 0) run.evidence.push({path, scopeLists, operations})
  return {
    path,
    findings: findingsOf(hits, file, run),
    entries,
    notes: [
      ...notes.map(({offset, ...note}) => ({path, line: file.lines.positionOf(offset).line, ...note})),
      ...file.ignores.unknown.map(({line, id}) => ({path, line, message: `no rule is called '${id}'`})),
    ],
  }
}

const checkOneUrl = (url: string, run: Run): CheckResult => {
  const [, method = 'GET', path = ''] = /^\s*(?:([A-Za-z]+)\s+)?(\S.*?)?\s*$/s.exec(url) ?? []
  const hits: Hit[] = []
  checkUrl(fileText(path), {
    method: method.toUpperCase(),
    isKnown: true,
    isExplicit: true,
    emit: (hit) => hits.push(hit),
  })
  const findings = findingsOf(hits, {path, lines: linesOf(path), ignores: ignoresIn('')}, run)
  return {path, findings, notes: [], entries: 1}
}

/** Begins a run over any number of inputs. Its parts may be called in any order; findings come sorted within each. */
export const startCheck = (options: CheckOptions = {}) => {
  const run: Run = {options, ignored: new Set(options.ignore), evidence: [], files: new Map()}
  return {
    text: (input: CheckInput): Promise<CheckResult> => checkText(input, run),
    /** A URL, or a path with its query; a method may stand before it. */
    url: (url: string): CheckResult => checkOneUrl(url, run),
    /** The scopes of one client. */
    scopes: (text: string, path = 'scopes'): Promise<CheckResult> => checkText({path, text, kind: 'scopes'}, run),
    /** What only all inputs together show. Call it last. */
    finish: (): readonly CheckResult[] => {
      const places = crossCheck(run.evidence)
      const files = [...run.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
      return files.map((file) => {
        const hits = places.filter(({path}) => path === file.path).map(({hit}) => hit)
        return {path: file.path, findings: findingsOf(hits, file, run), notes: [], entries: 0}
      })
    },
  }
}

export type Check = ReturnType<typeof startCheck>

const comment = /frontdesk-ignore-(next-)?line\b[ \t]*([^\n]*)/g
const id = /^[\w-]+$/

/** The ids behind a comment's word, up to its end or the reason behind two dashes. */
const idsIn = (rest: string): readonly string[] => {
  const [list = ''] = rest.split(/(?:^|\s)--(?:\s|$)|\*\/|-->|["'`]/)
  return list
    .split(/[\s,]+/)
    .map((word) => word.trim())
    .filter((word) => id.test(word))
}

/**
 * `frontdesk-ignore-line` and `frontdesk-ignore-next-line`, each for all rules or for the ids behind it: whether they let a
 * finding pass, and those ids that do not exist.
 */
export const ignoresIn = (text: string) => {
  const byLine = new Map<number, readonly string[]>()
  const unknown: {line: number; id: string}[] = []
  let line = 1
  let passed = 0
  for (const found of text.matchAll(comment)) {
    line += text.slice(passed, found.index).split('\n').length - 1
    passed = found.index
    const ids = idsIn(found[2] ?? '')
    for (const one of ids) if (!entryOf(one)) unknown.push({line, id: one})
    byLine.set(found[1] === undefined ? line : line + 1, ids)
  }
  return {
    unknown,
    covers: (at: number, ruleId: string) => {
      const ids = byLine.get(at)
      return ids !== undefined && (ids.length === 0 || ids.includes(ruleId))
    },
  }
}
