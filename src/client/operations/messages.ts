export {getMessage, queryMessages} from '../../api/messages.js'
