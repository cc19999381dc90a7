import {type Engine, settingsOf, storeSchema} from '../../store/postgres/schema/engines.js'
import {facets} from './facets.js'

/** The SQL that makes the tables of a state on an engine, and what an administrator sets besides. */
export const storeStatements = (engine: Engine) => ({
  statements: storeSchema(engine, facets),
  settings: settingsOf[engine],
})
