import {readFileSync} from 'node:fs'
import {expect} from 'chai'
import type {View} from '../../../src/cli/output/view.js'
import {rulerFor} from '../../../src/cli/output/width.js'
import {root} from '../run.js'
import {samples} from './samples.js'
import {goldenPath, screenOf, screensAt, widths} from './screens.js'
import {exportedViews} from './views.js'

describe('cli · screens', () => {
  for (const width of widths) {
    it(`shows every table at ${width} columns as it is kept (npm run docs)`, async () => {
      expect(await screensAt(width, root)).to.equal(readFileSync(goldenPath(width), 'utf8'))
    })
  }

  it('has documents of every view, and of no other', async () => {
    expect([...(await exportedViews(root)).keys()]).to.deep.equal(Object.keys(samples).sort())
  })

  it('never cuts what the next command needs, at any width', async () => {
    const {default: fc} = await import('fast-check')
    const views = await exportedViews(root)
    const wholeOf = (view: View): readonly string[] =>
      view.columns.flatMap(({keep, value}) => (keep === 'whole' && typeof value === 'string' ? [value] : []))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...views), fc.integer({min: 20, max: 200}), async ([name, view], width) => {
        const documents = samples[name] ?? []
        const {text, hidden} = await screenOf(view, documents, width)
        for (const document of documents) {
          for (const path of wholeOf(view)) {
            const value = (document as Readonly<Record<string, unknown>>)[path]
            if (typeof value === 'string') expect(text, `${name} at ${width}`).to.include(value)
          }
        }
        expect(hidden.filter((header) => text.startsWith(`${header} `))).to.deep.equal([])
      }),
    )
  })

  it('keeps every line of a table within the terminal', async () => {
    const {default: fc} = await import('fast-check')
    const view: View = {
      columns: [
        {header: 'name', value: 'name', keep: 'cut'},
        {header: 'note', value: 'note'},
      ],
    }
    const document = fc.record({name: fc.string(), note: fc.string({unit: 'grapheme'})})
    await fc.assert(
      fc.asyncProperty(fc.array(document), fc.integer({min: 30, max: 100}), async (documents, width) => {
        const {text} = await screenOf(view, documents, width)
        const {widthOf} = await rulerFor([text])
        for (const line of text.split('\n')) expect(widthOf(line)).to.be.at.most(width)
      }),
    )
  })
})
