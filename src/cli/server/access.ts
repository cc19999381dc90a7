export {
  localServer,
  otherHolder,
  resetLocal,
  runningServer,
  seedLocal,
  serverDetails,
} from '../../client/local-server.js'
