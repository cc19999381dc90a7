export {getProject} from '../../api/project.js'
