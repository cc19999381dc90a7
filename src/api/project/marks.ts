import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {isoTime} from '../../domain/iso-time.js'
import type {Document} from '../../store/store.js'
import {commit} from '../operation/commit.js'
import {operation} from '../operation/operation.js'
import {marks} from '../operation/stored-kinds.js'

/** How far runs with `--since last` came. Requests and replies are those of the platform's custom objects, which keep it there. */

const path = '/{projectKey}/_frontdesk/custom-objects'
const container = 'frontdesk-marks'

interface Mark extends Document {
  readonly value: Readonly<Record<string, unknown>>
  readonly lastModifiedAt: string
}

const Value = v.record(v.string(), v.unknown())
const MarkReply = v.object({container: v.string(), key: v.string(), version: v.number(), value: v.exactOptional(Value)})

/** Reads a mark; version 0 if there is none. */
export const getMark = operation({
  id: 'getMark',
  method: 'GET',
  path: `${path}/${container}/{key}`,
  summary: 'tell how far runs with `--since last` came',
  area: 'Project',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  reply: MarkReply,
  handle: async ({runtime, project}, {params: {key}}) => {
    const {version = 0, value} = (await runtime.state.get<Mark>(project.key, marks, key)) ?? {}
    return {container, key, version, ...defined({value})}
  },
})

/** Stores a mark. Throws ConcurrentModification unless its version is the expected one. */
export const setMark = operation({
  id: 'setMark',
  method: 'POST',
  path,
  summary: 'keep how far a run with `--since last` came',
  area: 'Project',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  body: v.object({
    container: v.literal(container),
    key: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    version: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    value: Value,
  }),
  reply: MarkReply,
  handle: async (context, {body: {key, version, value}}) => {
    const doc: Mark = {id: key, version: version + 1, value, lastModifiedAt: isoTime(context.now)}
    await commit(context, doc, [{kind: marks, expect: version, doc}])
    return {container, key, version: doc.version, value}
  },
})
