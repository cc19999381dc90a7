import {JsonText} from '../domain/json-text.js'
import {openApi} from './openapi.js'
import {type AnyOperation, operation} from './operation/operation.js'

/** Operations without authentication: health and the OpenAPI document. */
export function probeOperations(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  let document: Promise<JsonText> | undefined
  return [
    operation({
      id: 'health',
      method: 'GET',
      path: '/health',
      summary: 'tell that the server answers',
      area: 'Probes',
      permission: {kind: 'open'},
      handle: async () => ({status: 'ok'}),
    }),
    operation({
      id: 'openApi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'describe the API',
      area: 'Probes',
      permission: {kind: 'open'},
      handle: async ({takesTexts}) => {
        document ??= openApi(operations).then((made) => JsonText.of(JSON.stringify(made)))
        const text = await document
        return takesTexts ? text : text.toJSON()
      },
    }),
  ]
}
