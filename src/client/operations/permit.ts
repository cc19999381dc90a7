export {opens} from '../../api/pipeline/permit.js'
