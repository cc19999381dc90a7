export {getMessage, queryMessages} from '../../api/project/messages.js'
