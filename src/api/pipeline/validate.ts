import * as v from 'valibot'
import {isObject} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {redactedJson} from '../../domain/redact.js'
import {isFieldRule} from '../../domain/rules.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {limits} from '../../work/limits.js'

/** `addresses[0].country` for the path of an issue. */
function fieldPathOf(issue: v.BaseIssue<unknown>): string {
  let path = ''
  for (const {key} of issue.path ?? []) {
    if (typeof key === 'number') path += `[${key}]`
    else path += path === '' ? String(key) : `.${String(key)}`
  }
  return path
}

function fieldError(issue: v.BaseIssue<unknown>): ApiError {
  const field = fieldPathOf(issue)
  const value = isSecretPath(field)
    ? {}
    : {invalidValue: isObject(issue.input) ? redactedJson(issue.input) : issue.input}
  const error = ApiError.of('InvalidField', {field, ...value, rule: issue.message})
  const [list, action] = issue.path ?? []
  if (list?.key !== 'actions' || typeof action?.key !== 'number') return error
  return error.with({action: redactedJson(action.value), actionIndex: action.key})
}

function shapeError(issue: v.BaseIssue<unknown>): ApiError {
  const path = fieldPathOf(issue)
  const said =
    issue.kind === 'validation' || issue.expected === null || issue.message.startsWith('expected')
      ? issue.message
      : `expected ${issue.expected}${isSecretPath(path) ? '' : `, received ${issue.received}`}`
  return ApiError.of('InvalidJsonInput', {detailedErrorMessage: path === '' ? `$: ${said}` : `${path}: ${said}`})
}

/**
 * The output of a schema. Throws all problems together: InvalidJsonInput where the shape is wrong, else InvalidField
 * for each broken rule (decisions 8 and 9), at most as many as a reply lists. No text contains a secret.
 */
export function validated<T>(schema: v.GenericSchema<unknown, T>, input: unknown): T {
  const result = v.safeParse(schema, input)
  if (result.success) return result.output
  const shape = result.issues.filter((issue) => !isFieldRule((issue as {requirement?: unknown}).requirement))
  const listed = (issues: readonly v.BaseIssue<unknown>[]) => issues.slice(0, limits.listedIssues)
  const errors = shape.length > 0 ? listed(shape).map(shapeError) : listed(result.issues).map(fieldError)
  throw ApiError.all(errors as [ApiError, ...ApiError[]])
}
