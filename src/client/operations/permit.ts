export {opens} from '../../api/permit.js'
