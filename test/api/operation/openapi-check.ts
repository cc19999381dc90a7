import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js'
import {operations} from '../../../src/api/index.js'
import {openApi} from '../../../src/api/openapi.js'

/** Compares answers with what the OpenAPI document promises of their operation. */

const pointer = (...parts: readonly string[]): string =>
  parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

let ready: Promise<(place: string) => ValidateFunction | undefined> | undefined

async function validators(): Promise<(place: string) => ValidateFunction | undefined> {
  const document = await openApi(operations)
  const ajv = new Ajv2020({strict: false, allErrors: true})
  ajv.addSchema({$id: 'openapi:', ...document})
  return (place) => ajv.getSchema(`openapi:#/${place}`)
}

/** Throws for a body that the document does not allow. */
export async function checkAnswer(
  path: string,
  method: string,
  success: number,
  status: number,
  body: unknown,
): Promise<void> {
  ready ??= validators()
  const isSuccess = status < 400
  const place = pointer(
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    isSuccess ? String(success) : 'default',
    'content',
  )
  const validate = (await ready)(`${place}/application~1json/schema`)
  if (body === undefined) return
  if (!validate) {
    if (isSuccess) return
    throw new Error(`OpenAPI says nothing of ${method} ${path}`)
  }
  if (!validate(body)) {
    throw new Error(
      `${method} ${path} answered what OpenAPI does not allow: ${JSON.stringify(validate.errors?.slice(0, 3))}`,
    )
  }
  if (isSuccess && status !== success) throw new Error(`${method} ${path} answered ${status}, not ${success}`)
}
