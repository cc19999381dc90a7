import type {Cause, CauseMembers} from '../../transfer/check/causes.js'
import type {Coverage} from '../../transfer/check/coverage.js'
import {type Html, html, nothing} from '../output/html.js'
import {note, numberText, section} from '../output/html-page.js'
import {duplicatesText, joinedText, positionsText} from './cause-lines.js'

const shownCauses = 50

export function causesSection(
  title: string,
  {causes = [], moreCauses = 0, aliases = {}}: CauseMembers,
  fileCount: number,
): Html {
  if (causes.length === 0) return nothing
  const left = Math.max(0, causes.length - shownCauses) + moreCauses
  const open = Object.keys(aliases).length > 0
  return section(
    title,
    html`<table><thead><tr><th class="n">Rows</th><th>Cause</th><th>First lines</th></tr></thead><tbody>${causes.slice(0, shownCauses).map((cause) => causeRow(cause, fileCount))}</tbody></table>`,
    note(left > 0, `${numberText(left)} more causes are not shown here; --json lists the first hundred.`),
    open
      ? html`<p class="note">Names that need a value. Add to the map file (--map-file), with the values filled in:</p><pre>${aliasLines(aliases)}</pre>`
      : nothing,
  )
}

const aliasLines = (aliases: CauseMembers['aliases']): readonly Html[] =>
  JSON.stringify({aliases}, null, 2)
    .split('\n')
    .slice(0, 60)
    .map(
      (line) => html`${line}
`,
    )

function causeRow({rows, first, code, column, message, example, fix}: Cause, fileCount: number): Html {
  const places = positionsText(rows, first, fileCount)
  return html`<tr><td class="n">${numberText(rows)}</td><td>${column === undefined ? nothing : html`<b>${column}</b>: `}${message}${example === undefined ? nothing : html`<small>The first: ${example}</small>`}${fix === undefined ? nothing : html`<small>${fix}</small>`}<small>${code}</small></td><td>${places}</td></tr>`
}

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
