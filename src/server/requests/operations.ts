import * as v from 'valibot'
import {operation} from '../../api/operation/operation.js'
import type {LocalContext} from '../local/platform.js'

const RequestQuery = v.object({
  after: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  projectKey: v.exactOptional(v.string()),
  id: v.exactOptional(v.string()),
  refused: v.exactOptional(v.boolean()),
  limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
})

/** Operations of every server that listens, for the administration of its own machine. */
export const requestOperations = {
  listRequests: operation({
    id: 'listRequests',
    method: 'POST',
    path: '/_admin/requests',
    summary: 'show the last requests, and why they were refused',
    area: 'Administration',
    permission: {kind: 'admin'},
    body: RequestQuery,
    handle: async ({platform: {keepsBodies, processes}}: LocalContext, {body}) => ({
      keepsBodies,
      requests: await processes.requests(body),
    }),
  }),
}
