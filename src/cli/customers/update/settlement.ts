import type {Settlement} from '../../../client/settle.js'
import type {UpdateAction} from '../../../domain/action.js'
import type {Customer} from '../../../domain/customers/customer.js'
import {byVersion} from '../../safety/settlements.js'
import {customerOf} from '../calls.js'
import {differences, preview} from '../preview.js'
import {type CustomerChange, named, withIdsOf} from '../settlements.js'

/** Settles update actions: by the version, the author, and all members that the same fold gives here. */
export const update = (
  {client, before, look}: CustomerChange,
  actions: readonly UpdateAction[],
  {expand: asked, clock}: {readonly expand?: readonly string[] | undefined; readonly clock: () => number},
): Settlement<Customer> =>
  byVersion({
    what: named,
    client,
    look,
    version: before.version,
    read: () => customerOf(client, {by: 'id', value: before.id}, {expand: asked}),
    holds: async (now) => {
      const {next} = await preview(client, before, actions, clock())
      return differences(withIdsOf(next, now), now).every(({path}) => path === 'password')
    },
  })
