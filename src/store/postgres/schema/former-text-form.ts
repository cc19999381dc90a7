import type {Run} from '../connection/connections.js'
import {mapTexts, storable} from './text-form.js'

/**
 * Until the third migration, U+0000, halves of pairs and U+FDD0 were stored as U+FDD0 and four hexadecimal digits, which
 * put them into another place in the order of texts.
 */
const formerly = (text: string): string =>
  text.replace(/\ufdd0([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

const textNow = (text: string): string => storable(formerly(text))

/** JSON of a column, or the column itself where nothing in it changes. */
function jsonNow(column: string | null): string | null {
  if (column === null) return null
  const value: unknown = JSON.parse(column)
  const next = JSON.stringify(mapTexts(value, textNow))
  return next === JSON.stringify(value) ? column : next
}

/** What may have to change, as a regular expression in a database and for the text of JSON too. */
const concerned = '[\u{10000}-\u{10ffff}\ufdd0\u0001]|\\\\u0001'
const batch = 500

/** Brings all texts into the form of today. Documents and unique keys that it does not change are left alone. */
export async function restoreTexts(run: Run): Promise<void> {
  const renamed: (readonly (string | null)[])[] = []
  for (let after: readonly (string | null)[] = ['', '', '']; ; ) {
    const {rows} = await run(
      {
        text: `SELECT project, kind, id, version, doc, facets, claims FROM frontdesk.document
          WHERE (project, kind, id) > ($1, $2, $3)
            AND (id ~ $4 OR doc::text ~ $4 OR facets::text ~ $4 OR claims::text ~ $4)
          ORDER BY project, kind, id LIMIT ${batch}`,
      },
      [...after, concerned],
    )
    for (const row of rows) {
      const [project, kind, id = '', version, ...json] = row
      const next = [project ?? '', kind ?? '', textNow(id ?? ''), version ?? '', ...json.map(jsonNow)]
      if (next.every((value, at) => value === row[at])) continue
      const set = 'UPDATE frontdesk.document SET doc = $4, facets = $5, claims = $6'
      const place = 'project = $1 AND kind = $2 AND id = $3'
      if (next[2] === id) await run({text: `${set} WHERE ${place}`}, [project, kind, id, ...next.slice(4)])
      else {
        // Written at the end, or the walk would meet it again.
        renamed.push(next)
        await run({text: `DELETE FROM frontdesk.document WHERE ${place}`}, [project, kind, id])
      }
    }
    if (rows.length < batch) break
    after = (rows.at(-1) ?? []).slice(0, 3)
  }
  const columns = 'project, kind, id, version, doc, facets, claims'
  for (const row of renamed) {
    await run({text: `INSERT INTO frontdesk.document (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7)`}, row)
  }
  for (const table of ['claim', 'share']) await restoreUniqueKeys(run, table)
}

async function restoreUniqueKeys(run: Run, table: string): Promise<void> {
  const {rows} = await run(
    {text: `SELECT project, kind, key, holder FROM frontdesk.${table} WHERE key ~ $1 OR holder ~ $1`},
    [concerned],
  )
  const changes = rows
    .map((row) => ({row, next: row.map((value) => (value === null ? null : textNow(value)))}))
    .filter(({row, next}) => next.some((value, at) => value !== row[at]))
  const place = 'project = $1 AND kind = $2 AND key = $3 AND holder IS NOT DISTINCT FROM $4'
  for (const {row} of changes) await run({text: `DELETE FROM frontdesk.${table} WHERE ${place}`}, row)
  const columns = 'project, kind, key, holder'
  for (const {next} of changes) {
    await run({text: `INSERT INTO frontdesk.${table} (${columns}) VALUES ($1, $2, $3, $4)`}, next)
  }
}
