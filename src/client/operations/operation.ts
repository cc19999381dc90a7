export type {AnyOperation} from '../../api/operation/operation.js'
