export {
  localServer,
  otherHolder,
  resetLocal,
  runningServer,
  seedLocal,
  serverDetails,
} from '../../client/local/local-server.js'
