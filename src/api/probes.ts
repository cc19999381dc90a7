import {openApi} from './openapi.js'
import {type AnyOperation, operation} from './operation/operation.js'

/** Operations without authentication: health and the OpenAPI document. */
export function probeOperations(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  let document: Promise<object> | undefined
  return [
    operation({
      id: 'health',
      method: 'GET',
      path: '/health',
      summary: 'tell that the server answers',
      area: 'Probes',
      permission: {kind: 'open'},
      success: 200,
      handle: async () => ({status: 200, body: {status: 'ok'}}),
    }),
    operation({
      id: 'openApi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'describe the API',
      area: 'Probes',
      permission: {kind: 'open'},
      success: 200,
      handle: async () => {
        document ??= openApi(operations)
        return {status: 200, body: await document}
      },
    }),
  ]
}
