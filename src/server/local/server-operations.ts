import * as v from 'valibot'
import type {Context, NewToken} from '../../api/operation/context.js'
import {ApiError} from '../../domain/errors.js'
import {FaultPlan} from '../http/faults.js'
import {RequestQuery, requestsOf} from '../requests/request-view.js'
import {ClockChange} from '../stubs/test-clock.js'
import {windowPath} from '../window-paths.js'
import {administrative} from './admin.js'
import type {LocalContext} from './runtime.js'

/** Operations of every server that listens, for the administration of its own machine. */
export const serverOperations = {
  listRequests: administrative({
    id: 'listRequests',
    method: 'POST',
    path: '/_admin/requests',
    summary: 'show the last requests, and why they were refused',
    body: RequestQuery,
    handle: async ({runtime}: LocalContext, {body}) => {
      const {requestLog} = runtime.memory
      return {keepsBodies: requestLog.keepBodies, requests: requestsOf(requestLog, body)}
    },
  }),
  openWindow: administrative({
    id: 'openWindow',
    method: 'POST',
    path: '/_admin/window',
    summary: 'make a code that lets one browser into the window',
    secrets: ['value'],
    handle: async ({runtime}: LocalContext) => ({path: windowPath, value: runtime.memory.entries.issue()}),
  }),
  listTokens: administrative({
    id: 'listTokens',
    method: 'POST',
    path: '/_admin/outbox',
    summary: 'show the one-time tokens that were made last, and the pages of the shop that take them',
    body: v.object({projectKey: v.string()}),
    secrets: ['value'],
    handle: async ({runtime}: LocalContext, {body: {projectKey}}) => {
      const {localContext} = await import('./local-context.js')
      const context = await localContext(runtime, projectKey)
      const made = runtime.memory.outbox.of(projectKey)
      const tokens = await Promise.all(made.map(async (token) => ({...token, isOpen: await isOpen(context, token)})))
      return {...runtime.links, tokens}
    },
  }),
}

/** Whether a token can still be used. */
async function isOpen(context: Context, {value, purpose}: NewToken): Promise<boolean> {
  const {customerOfToken} = await import('../../api/accounts/one-time-tokens.js')
  try {
    await customerOfToken(context, value, purpose)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Operations that inject faults into a local server or set its clock, for tests. Available on loopback only. */
export const testHookOperations = {
  showFaults: administrative({
    id: 'showFaults',
    method: 'GET',
    path: '/_admin/faults',
    summary: 'show the injected faults',
    handle: async ({runtime}: LocalContext) => runtime.memory.faults.state,
  }),
  setFaults: administrative({
    id: 'setFaults',
    method: 'POST',
    path: '/_admin/faults',
    summary: 'replace the injected faults',
    body: FaultPlan,
    handle: async ({runtime}: LocalContext, {body}) => runtime.memory.faults.set(body),
  }),
  showClock: administrative({
    id: 'showClock',
    method: 'GET',
    path: '/_admin/clock',
    summary: 'show the time of the server',
    handle: async ({runtime}: LocalContext) => runtime.memory.testClock.state,
  }),
  changeClock: administrative({
    id: 'changeClock',
    method: 'POST',
    path: '/_admin/clock',
    summary: 'advance, freeze or release the time of the server',
    body: ClockChange,
    handle: async ({runtime}: LocalContext, {body}) => runtime.memory.testClock.change(body),
  }),
}
