import {readFileSync, writeFileSync} from 'node:fs'
import {BaselineTrouble, baselineText, readBaseline, withoutKnown} from '../../deprecations/baseline.js'
import {type Check, type Checked, startCheck} from '../../deprecations/check/check.js'
import type {Report} from '../../deprecations/check/finding.js'
import type {SourceKind} from '../../deprecations/check/kind.js'
import {placeOf} from '../../deprecations/check/place.js'
import {checkPaths, UnreadablePath} from '../../deprecations/check/walk.js'
import {getDeprecation} from '../../deprecations/list.js'
import {defined} from '../../domain/equal.js'
import {textOf} from '../input/json-input.js'
import {readAll} from '../input/secret-inputs.js'
import {usage} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {whyNot} from '../process/system-errors.js'
import {beside, type Run} from '../run/run.js'
import {dayOf} from './filter.js'

/** The inputs and options of `deprecations check`. */
export interface CheckRequest {
  readonly paths: readonly string[]
  readonly url?: readonly string[] | undefined
  readonly graphql?: readonly string[] | undefined
  readonly scopes?: readonly string[] | undefined
  readonly request?: string | undefined
  readonly 'as-of'?: string | undefined
  readonly ignore?: readonly string[] | undefined
  readonly baseline?: string | undefined
  readonly 'update-baseline'?: boolean | undefined
}

const maxStdinBytes = 5 * 1024 * 1024

/** Checks all inputs and drops the findings of the baseline. */
export async function reportFor(asked: CheckRequest, run: Run): Promise<Report> {
  refuseNothing(asked)
  const known = baselineOf(asked)
  const check = startCheck(optionsOf(asked))
  const all: Checked[] = []
  for await (const checked of checkedInputs(check, asked, run.io)) all.push(checked)
  all.push(...check.finish())
  const findings = all.flatMap((checked) => checked.findings)
  const notes = all.flatMap((checked) => checked.notes)
  const {baseline} = asked
  if (baseline !== undefined && asked['update-baseline']) {
    await beside(run, `write ${baseline}`, () => writeBaseline(baseline, baselineText(findings)))
    return {findings: [], notes, known: findings.length, gone: 0}
  }
  return known ? {...withoutKnown(findings, known), notes} : {findings, notes}
}

function refuseNothing({paths, url, graphql, scopes}: CheckRequest): void {
  if (paths.length > 0 || url || graphql || scopes) return
  throw usage('There is nothing to check.', 'Name files or folders, - for stdin, or use --url, --graphql, --scopes.')
}

function optionsOf({request, 'as-of': asOf, ignore}: CheckRequest) {
  if (request !== undefined && !placeOf(request)) {
    throw usage(`'${request}' is not a request.`, 'Write --request "POST /carts".')
  }
  for (const id of ignore ?? []) {
    const {entry, candidates = []} = getDeprecation(id)
    if (entry?.id === id) continue
    const near = entry ? [entry.id] : candidates
    const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : '`frontdesk deprecations list` names all.'
    throw usage(`There is no rule '${id}'.`, hint)
  }
  return {
    ...defined({request}),
    ...(asOf === undefined ? {} : {asOf: dayOf(asOf, '--as-of')}),
    ...defined({ignore}),
  }
}

async function* checkedInputs(check: Check, asked: CheckRequest, io: Io): AsyncGenerator<Checked> {
  for (const url of asked.url ?? []) {
    if (!/[/?]/.test(url)) throw usage(`--url is no URL: ${url}`, 'Give a path or a whole URL: /shop/carts?limit=1')
    yield check.url(url)
  }
  for (const text of asked.graphql ?? []) {
    yield await checkGiven(check, await textOf(text, '--graphql', io), nameOf(text, '--graphql'), 'graphql')
  }
  for (const text of asked.scopes ?? []) {
    yield await check.scopes(await textOf(text, '--scopes', io), nameOf(text, '--scopes'))
  }
  const paths = asked.paths.filter((path) => path !== '-')
  if (paths.length < asked.paths.length) {
    yield await checkGiven(check, await readAll(io, maxStdinBytes), 'stdin', asked.request ? 'json' : undefined)
  }
  try {
    yield* checkPaths(check, paths, process.cwd())
  } catch (error) {
    if (!(error instanceof UnreadablePath)) throw error
    throw usage(`${error.message}.`, 'Name files and folders that can be read.')
  }
}

const nameOf = (text: string, flag: string): string =>
  text === '-' ? 'stdin' : text.startsWith('@') ? text.slice(1) : flag

/** Checks a text from stdin or a flag. Throws usage if it cannot be parsed as its kind. */
async function checkGiven(check: Check, text: string, path: string, kind?: SourceKind): Promise<Checked> {
  const checked = await check.text({path, text, ...defined({kind})})
  const unread = checked.notes.find(({isUnread}) => isUnread)
  if (unread) throw usage(`${path}:${unread.line ?? 1}: ${unread.message}.`)
  return checked
}

function baselineOf(asked: CheckRequest) {
  const {baseline} = asked
  if (asked['update-baseline']) {
    if (baseline === undefined) throw usage('--update-baseline needs --baseline FILE.')
    return undefined
  }
  if (baseline === undefined) return undefined
  try {
    return readBaseline(readFileSync(baseline, 'utf8'))
  } catch (error) {
    if (error instanceof BaselineTrouble) throw usage(`${baseline} is ${error.message}.`)
    throw usage(`The file ${baseline} cannot be read: ${whyNot(error)}.`, 'Add --update-baseline to write it.')
  }
}

function writeBaseline(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw usage(`The file ${path} cannot be written: ${whyNot(error)}.`)
  }
}
