import type {Rows} from '../input/row.js'
import type {Source} from '../input/source.js'
import {documentMapper} from './document-mapper.js'
import {JoinedRows} from './joined-rows.js'
import type {Mapping} from './mapping.js'
import {mappingPlanOf} from './mapping-plan.js'
import type {Mapper} from './row-mapper.js'
import {tableMapper} from './table-mapper.js'

/** A mapping that was made ready. */
export interface Mappers {
  /** Fits the mapping to a source. Throws InputError. */
  mapperFor(rows: Rows): Mapper
  /** The rows of the second file. */
  readonly joined?: JoinedRows
}

/** Checks a mapping and makes it ready; `joined` is its second file. Throws InputError. */
export async function mapperOf(mapping: Mapping, joined?: Source): Promise<Mappers> {
  const plan = await mappingPlanOf(mapping)
  const {join} = mapping
  const rows = join && joined && (await JoinedRows.read(joined, mapping, join))
  return {
    mapperFor: (table) => (table.columns ? tableMapper(plan, table, table.columns, rows) : documentMapper(plan, rows)),
    ...(rows ? {joined: rows} : {}),
  }
}
