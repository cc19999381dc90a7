import type * as v from 'valibot'
import type {Facts, Registry} from '../../domain/action.js'
import {type Folded, folding} from '../../domain/fold.js'
import type {Requirement} from '../../store/store.js'
import {inTurns} from '../../time-slices.js'
import type {Context} from './context.js'
import {deprecatedActionUses} from './deprecated-uses.js'
import {factsFor} from './facts.js'
import {checkVersion} from './parameters.js'
import {permitActions} from './permit.js'
import {updateBody} from './update-body.js'

export type Update<R> = v.InferOutput<ReturnType<typeof updateBody<R>>>

/** What an operation that takes update actions declares of them. */
export const taking = <R>(registry: Registry<R>) => ({
  body: updateBody(registry),
  actions: registry,
  deprecations: deprecatedActionUses(registry),
})

/**
 * The actions of an update folded over a resource, once the caller may use them and the version is the expected one. `own`
 * are facts of this kind of resource alone. Nothing is stored; an unchanged resource comes back as the same object.
 */
export async function foldedOver<R extends {readonly id: string; readonly version: number}>(
  context: Context,
  before: R,
  {version, actions}: Update<R>,
  own: Partial<Facts> = {},
): Promise<Folded<R> & {readonly required: readonly Requirement[]}> {
  permitActions(context, actions)
  checkVersion(before, version)
  const facts = await factsFor(
    context,
    actions.flatMap(({action, body}) => action.references?.(body, before) ?? []),
  )
  const folded = await inTurns(folding(before, actions, {...facts, ...own}))
  return {...folded, required: facts.required}
}
