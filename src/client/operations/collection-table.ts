export {collectionOf} from '../../api/operation/collection-table.js'
