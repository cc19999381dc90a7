export type {AnyOperation} from '../../api/operation.js'
