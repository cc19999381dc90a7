import type {Coverage} from '../../transfer/check/coverage.js'
import {type Html, html, nothing} from '../output/html.js'
import {note, numberText, section} from '../output/html-page.js'
import {duplicatesText, joinedText} from './cause-lines.js'

/** What the rows of a run fill, field by field. */
export function coverageSection({coverage}: {readonly coverage?: Coverage | undefined}): Html {
  if (!coverage) return nothing
  const {rows, fields, moreFields = 0, ignored, duplicates = [], joins = []} = coverage
  return section(
    `What ${numberText(rows)} valid rows fill`,
    html`<table><thead><tr><th>Field</th><th class="n">Rows</th><th class="n">Values</th><th>The first of them</th></tr></thead><tbody>${fields.map(fieldRow)}</tbody></table>`,
    note(moreFields > 0, `${numberText(moreFields)} more fields are not counted.`),
    ...duplicates.map((found) => note(true, duplicatesText(found))),
    ...joins.map((found) => note(true, joinedText(found))),
    note(ignored.length > 0, `Columns that nothing takes: ${ignored.join(', ')}.`),
  )
}

function fieldRow({field, rows, distinct, more, samples}: Coverage['fields'][number]): Html {
  const values = distinct === undefined || rows === 0 ? '' : `${more ? 'over ' : ''}${numberText(distinct)}`
  return html`<tr><td>${field}</td><td class="n">${numberText(rows)}</td><td class="n">${values}</td><td>${samples.join(' · ')}</td></tr>`
}
