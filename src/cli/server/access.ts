export {localServer, resetLocal, runningServer, seedLocal, serverDetails} from '../../client/local-server.js'
