import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {catalogue} from '../../src/deprecations/catalogue/index.js'
import type {Pattern} from '../../src/deprecations/catalogue/pattern.js'
import {type CheckOptions, startCheck} from '../../src/deprecations/check/check.js'
import type {Finding, Note} from '../../src/deprecations/check/finding.js'
import {checkPaths} from '../../src/deprecations/check/walk.js'
import {expectedUses} from './expected-uses.js'

const root = fileURLToPath(new URL('../../fixtures/deprecations/', import.meta.url))

const checkTree = async (tree: string, options: CheckOptions = {}) => {
  const check = startCheck(options)
  const findings: Finding[] = []
  const notes: Note[] = []
  for await (const checked of checkPaths(check, [`${root}${tree}`], `${root}${tree}`)) {
    findings.push(...checked.findings)
    notes.push(...checked.notes)
  }
  for (const checked of check.finish()) findings.push(...checked.findings)
  return {findings, notes}
}

const customFields = 'storefront/custom-fields.graphql'

/** What the catalogue cannot see: renames that nobody lists, and scopes that still open what they opened. */
const blind = ['orders-scopes-elsewhere', 'graphql-ref-and-res-id-renames', 'graphql-scope-cart-mutation']

/** The words by which a pattern would take notice of a text. */
const wordsOf = (pattern: Pattern): readonly string[] => {
  if (pattern.in === 'action') return pattern.actions
  if (pattern.in === 'body') return pattern.values ?? pattern.at.flatMap((path) => path.split('.').slice(-1))
  if (pattern.in === 'url') return pattern.places.map((place) => pattern.query ?? /[a-z-]{2,}/.exec(place)?.[0] ?? '')
  if (pattern.in === 'scope') return [pattern.scope]
  if (pattern.in === 'host') return pattern.names
  return pattern.names.map((name) => name.slice(name.lastIndexOf('.') + 1))
}

describe('deprecations · fixtures', () => {
  it('finds every use in the tree of uses, where it is, and nothing else', async () => {
    const {findings, notes} = await checkTree('uses')
    const found = new Map<string, string[]>()
    for (const {path, line, ruleId} of findings) found.set(path, [...(found.get(path) ?? []), `${line} ${ruleId}`])
    found.delete(customFields)
    expect(Object.fromEntries(found)).to.deep.equal(expectedUses)
    expect(notes).to.deep.equal([])
  })

  it('finds each of three fields on each of fourteen types once', async () => {
    const {findings} = await checkTree('uses')
    const ids = findings.filter(({path}) => path === customFields).map(({ruleId}) => ruleId)
    const wanted = catalogue.map(({id}) => id).filter((id) => /^graphql-.*-custom-field(s|s-raw|-list)$/.test(id))
    expect(wanted).to.have.length(42)
    expect(ids.sort()).to.deep.equal(wanted.sort())
  })

  it('has a use of every rule that a static check can see', async () => {
    const {findings} = await checkTree('uses')
    const seen = new Set(findings.map(({ruleId}) => ruleId))
    expect(catalogue.map(({id}) => id).filter((id) => !seen.has(id))).to.deep.equal(blind)
  })

  it('has a near miss of every rule: a text with its words that is no use', () => {
    const folder = `${root}near-misses`
    const texts = readdirSync(folder, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').toLowerCase())
    const missed = catalogue.filter(({detect, scope}) => {
      const words = scope ? [scope.previous] : (detect ?? []).flatMap(wordsOf)
      return words.length > 0 && !texts.some((text) => words.some((word) => text.includes(word.toLowerCase())))
    })
    expect(missed.map(({id}) => id)).to.deep.equal([])
  })

  it('finds nothing in the tree of near misses', async () => {
    const {findings, notes} = await checkTree('near-misses')
    expect(findings).to.deep.equal([])
    expect(notes).to.deep.equal([])
  })

  it('calls errors what was removed and warnings what is deprecated', async () => {
    const {findings} = await checkTree('uses')
    for (const {ruleId, severity, date} of findings) {
      const entry = catalogue.find(({id}) => id === ruleId)
      const {deprecated, announced, ...ended} = entry?.dates ?? {}
      const end = Object.values(ended)[0]
      expect(severity, ruleId).to.equal(end === undefined && !entry?.isRemoved ? 'warning' : 'error')
      expect(date, ruleId).to.equal(end ?? (entry?.isRemoved ? null : (deprecated ?? null)))
    }
  })

  it('judges as of a day', async () => {
    const early = await checkTree('uses', {asOf: '2015-10-11'})
    expect(early.findings).to.deep.equal([])
    const {findings} = await checkTree('uses', {asOf: '2026-01-01'})
    const scopes = findings.filter(({ruleId}) => ruleId === 'recurrence-policies-scopes')
    expect(scopes.map(({severity, date}) => `${severity} ${date}`)).to.deep.equal(['warning 2025-12-12'])
  })

  it('finds nothing in the project’s own sources', async () => {
    const {findings, notes} = await checkTree('../../src')
    // The catalogue names what it looks for.
    const others = findings.filter(({path}) => !path.endsWith('catalogue/catalogue.json'))
    expect(others.map(({path, line, ruleId}) => `${path}:${line} ${ruleId}`)).to.deep.equal([])
    expect(notes).to.deep.equal([])
  })

  it('leaves out rules that are ignored', async () => {
    const ignore = catalogue.map(({id}) => id).filter((id) => id !== 'import-sink')
    const {findings} = await checkTree('uses', {ignore})
    expect(findings.map(({ruleId}) => ruleId)).to.deep.equal(['import-sink'])
  })
})
