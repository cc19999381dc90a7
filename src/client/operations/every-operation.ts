export {operations} from '../../api/index.js'
