import * as v from 'valibot'
import type {Facts, Registry} from '../../domain/action.js'
import {type ActionCall, type FoldResult, folding} from '../../domain/fold.js'
import {Version} from '../../domain/rules.js'
import type {Change, Requirement} from '../../store/store.js'
import {limits} from '../../work/limits.js'
import {inTurns} from '../../work/time-slices.js'
import {commit, projectRequired, putOf, type Resource, revised} from './commit.js'
import type {Context} from './context.js'
import {deprecatedActionUses} from './deprecated-uses.js'
import {decisiveKinds, factsFor} from './facts.js'
import {checkVersion} from './parameters.js'
import {permitActions} from './permit.js'
import {retrying} from './retrying.js'

/** The schema of an update: the expected version, and actions, each checked by the schema of its name. */
function updateBody<R>(registry: Registry<R>) {
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

export type Update<R> = v.InferOutput<ReturnType<typeof updateBody<R>>>

/** The part of a declaration that says which update actions the operation takes. */
export const taking = <R>(registry: Registry<R>) => ({
  body: updateBody(registry),
  actions: registry,
  deprecations: deprecatedActionUses(registry),
})

/**
 * Checks permissions and version, then folds the actions of an update over a resource. `own`: facts that only this kind
 * of resource has. Stores nothing; returns the same object if nothing changes.
 */
export async function foldedOver<R extends {readonly id: string; readonly version: number}>(
  context: Context,
  before: R,
  {version, actions}: Update<R>,
  own: Partial<Facts> = {},
): Promise<FoldResult<R> & {readonly required: readonly Requirement[]}> {
  permitActions(context, actions)
  checkVersion(before, version)
  const asked = factsFor(
    context,
    actions.flatMap(({action, body}) => action.references?.(body, before) ?? []),
  )
  const facts = asked instanceof Promise ? await asked : asked
  const turns = inTurns(folding(before, actions, {...facts, ...own}))
  const folded = turns instanceof Promise ? await turns : turns
  const {next, messages, effects} = folded
  return {next, messages, effects, required: facts.required}
}

interface Changing<R> {
  readonly own?: Partial<Facts>
  readonly beside?: (next: R) => Promise<readonly Change[]>
}

/** Folds the actions over a resource and commits it; without a change nothing is written (decision 6). */
export function changed<R extends Resource>(
  context: Context,
  typeId: string,
  before: R,
  update: Update<R>,
  {own, beside}: Changing<R> = {},
): Promise<R> {
  return retrying(
    async () => {
      const {next, messages, required} = await foldedOver(context, before, update, own)
      if (next === before) return before
      const checked = beside ? await beside(next) : []
      const {resource, messages: stored} = revised(context, typeId, next, messages)
      const also = [...checked, ...projectRequired(context, typeId, resource, before)]
      await commit(context, resource, [...required, ...also, putOf(typeId, before.version, resource), ...stored])
      return resource
    },
    decisiveKinds.filter((kind) => kind !== typeId),
  )
}
