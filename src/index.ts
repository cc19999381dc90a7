/** The library surface: what test suites and tools of users import. */

export type {Client} from './client/client.js'
export {Unreachable} from './client/client.js'
export {connect} from './client/connect.js'
export {type EmbeddedOptions, embedded} from './client/embedded-client.js'
export * as operations from './client/operations.js'
export type {ConnectOptions, Credentials, EmbeddedTarget, RemoteTarget, Target} from './client/target.js'
export {ApiError, StateError} from './domain/errors.js'
export {type CallbackBackend, type CallbackOptions, startCallback} from './server/callback.js'
export {type RunningServer, type ServerOptions, startServer} from './server/start.js'
