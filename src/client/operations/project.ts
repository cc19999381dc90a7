export {getProject} from '../../api/project/operations.js'
