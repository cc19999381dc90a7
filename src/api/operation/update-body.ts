import * as v from 'valibot'
import type {Registry} from '../../domain/action.js'
import type {ActionCall} from '../../domain/fold.js'
import {Version} from '../../domain/rules.js'
import {limits} from '../../limits.js'

/** The schema of an update: the expected version, and actions, each checked by the schema of its name. */
export function updateBody<R>(registry: Registry<R>) {
  const names = [...registry.keys()].map((name) => `'${name}'`).join(', ')
  const unknown = v.looseObject({
    action: v.pipe(
      v.string(),
      v.check(
        (name) => registry.has(name),
        ({input}) => `expected one of ${names}, received '${input}'`,
      ),
    ),
  })
  const one = v.lazy((input): v.GenericSchema<unknown, ActionCall<R>> => {
    const name: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'action') : undefined
    const action = typeof name === 'string' ? registry.get(name) : undefined
    if (!action) return unknown as unknown as v.GenericSchema<unknown, ActionCall<R>>
    return v.pipe(
      action.schema,
      v.transform((body) => ({action, body})),
    )
  })
  return v.object({version: Version, actions: v.pipe(v.array(one), v.maxLength(limits.actions))})
}
