export {collectionOf} from '../../api/collection-table.js'
