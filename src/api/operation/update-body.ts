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
  const calls = new Map<unknown, v.GenericSchema<unknown, ActionCall<R>>>()
  for (const [name, action] of registry) {
    const call = v.transform((body: unknown) => ({action, body}))
    calls.set(name, v.pipe(action.schema, call))
  }
  const one = v.lazy((input): v.GenericSchema<unknown, ActionCall<R>> => {
    const name: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'action') : undefined
    return calls.get(name) ?? (unknown as unknown as v.GenericSchema<unknown, ActionCall<R>>)
  })
  return v.object({version: Version, actions: v.pipe(v.array(one), v.maxLength(limits.actions))})
}
