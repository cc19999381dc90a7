import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import fc from 'fast-check'
import {formats, reportText} from '../../src/cli/deprecations/forms.js'
import {startCheck} from '../../src/deprecations/check/check.js'
import type {SourceKind} from '../../src/deprecations/check/kind.js'

const folder = fileURLToPath(new URL('../../fixtures/deprecations/uses', import.meta.url))

const texts = readdirSync(folder, {recursive: true, withFileTypes: true})
  .filter((entry) => entry.isFile())
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))

const kinds: readonly SourceKind[] = ['json', 'jsonl', 'har', 'graphql', 'text', 'scopes']

/** A real file with a piece cut out, doubled, or replaced by something odd. */
const damaged = fc
  .record({
    text: fc.constantFrom(...texts),
    from: fc.nat(8000),
    length: fc.nat(200),
    piece: fc.oneof(
      fc.string({unit: 'binary', maxLength: 20}),
      fc.constantFrom('', '"', '`${', '{', ']', '\\u', '\uFEFF'),
    ),
    isDoubled: fc.boolean(),
  })
  .map(({text, from, length, piece, isDoubled}) => {
    const start = from % (text.length + 1)
    return text.slice(0, start) + piece + text.slice(isDoubled ? start : start + length)
  })

const read = {files: 1, entries: 1}

describe('deprecations · hostile texts', () => {
  it('checks any text as any kind, and places every finding inside it', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, fc.constantFrom(...kinds), async (text, kind) => {
        const lines = text.split('\n')
        const {findings, notes} = await startCheck().text({path: 'x', text, kind})
        for (const {line, column} of findings) {
          expect(column).to.be.within(1, (lines[line - 1] ?? '').length + 1)
        }
        for (const format of formats) reportText({findings, notes, read}, format, '1')
      }),
      {numRuns: 300},
    )
  })

  it('takes any text for a URL', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({unit: 'binary'}), fc.webUrl({withQueryParameters: true})), (text) => {
        startCheck().url(text)
      }),
    )
  })

  it('finds the same again in a text that begins with other lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), fc.integer({min: 1, max: 9}), async (text, count) => {
        const before = await startCheck().text({path: 'x', text})
        const after = await startCheck().text({path: 'x', text: '\n'.repeat(count) + text})
        const shown = (findings: typeof before.findings, shift: number) =>
          findings.map(({line, column, fingerprint}) => `${line + shift}:${column} ${fingerprint}`)
        expect(shown(after.findings, 0)).to.deep.equal(shown(before.findings, count))
      }),
      {numRuns: 30},
    )
  })
})
