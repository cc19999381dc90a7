import {type Engine, storeSchema} from '../../store/postgres/schema/engines.js'
import {facets} from './facets.js'

/** The statements that create a server's tables on an engine, each without its semicolon. */
export const storeStatements = (engine: Engine): string[] => storeSchema(engine, facets)
