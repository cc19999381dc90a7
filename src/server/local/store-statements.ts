import {type Engine, settingsOf, storeSchema} from '../../store/postgres/schema/schema.js'
import {facets} from './facets.js'

/**
 * The SQL for the tables of a state on an engine, each statement without its semicolon, and the settings that an
 * administrator makes as well.
 *
 *     storeStatements('citus').statements.join(';\n')
 */
export const storeStatements = (engine: Engine) => ({
  statements: storeSchema(engine, facets),
  settings: settingsOf[engine],
})
