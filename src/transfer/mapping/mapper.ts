import type {Rows} from '../input/row.js'
import type {Mapper} from './assignment.js'
import {documentMapper} from './document-mapper.js'
import type {Mapping} from './mapping.js'
import {mappingPlanOf} from './mapping-plan.js'
import {tableMapper} from './table-mapper.js'

/** Checks a mapping and makes it ready; `mapperFor` then fits it to each source. Throws InputError. */
export async function mapperOf(mapping: Mapping): Promise<{mapperFor(rows: Rows): Mapper}> {
  const plan = await mappingPlanOf(mapping)
  return {mapperFor: (rows) => (rows.columns ? tableMapper(plan, rows, rows.columns) : documentMapper(plan))}
}
