/** The library surface: what test suites and tools of users import. */

export * as operations from './api/declarations.js'
export type {Client} from './client/client.js'
export {Unreachable} from './client/client.js'
export {connect, type EmbeddedOptions, embedded} from './client/connect.js'
export type {ConnectOptions, Credentials, EmbeddedTarget, RemoteTarget, Target} from './client/target.js'
export type {UpdateAction} from './domain/action.js'

export type {DesiredCustomer} from './domain/customers/desired-customer.js'
export {type Difference, difference} from './domain/customers/diff.js'
export {ApiError, StateError} from './domain/errors.js'

export {faultLog} from './server/http/fault-log.js'
export type {SeedData} from './server/local/seed-pack.js'
export {storeStatements} from './server/local/store-statements.js'
export type {RequestFilter, RequestView} from './server/requests/request-view.js'
export type {
  FaultInput,
  MessageFilter,
  RunningServer,
  ServerClock,
  ServerFaults,
  TokenOptions,
} from './server/running-server.js'
export {type ServerOptions, startServer} from './server/start.js'
export {type CallbackBackend, type CallbackOptions, startCallback} from './server/stubs/callback.js'
export {type IntrospectionStubOptions, startIntrospectionStub} from './server/stubs/introspection-stub.js'
export {type CopyOptions, withCustomersOf} from './transfer/copy.js'
export {type ExportOptions, exportCustomers, exportToFile, type Sink} from './transfer/export.js'
export {InputError} from './transfer/files/input-error.js'
export {type ImportOptions, type ImportResult, importCustomers} from './transfer/import.js'
export type {Source} from './transfer/input/row.js'
export type {RowFormat} from './transfer/input/row-format.js'
export {openSources, type Sources} from './transfer/input/source.js'
export {type Job, jobNames, readJob} from './transfer/jobs/jobs.js'
export {type Mapping, mappingOf} from './transfer/mapping/mapping.js'
export {anonymizer} from './transfer/output/anonymize.js'
export {type DryRunOptions, type PlanResult, planImport} from './transfer/plan.js'
export type {LocatedIssue, TransferEvent} from './transfer/run/events.js'
export {RunStopped} from './transfer/run/run-stopped.js'
export {InvalidRows} from './transfer/run/validation.js'
export {plainTemplate, type Template, templateFor} from './transfer/template.js'
export {NothingToUndo} from './transfer/undo/plan.js'
export {planUndo, type UndoOptions, type UndoPlan, type UndoResult, undoJob} from './transfer/undo.js'
