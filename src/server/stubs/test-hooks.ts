import {operation} from '../../api/operation/operation.js'
import {FaultPlan} from '../http/faults.js'
import type {LocalContext} from '../local/platform.js'
import {ClockChange} from './test-clock.js'

const area = 'Administration'
const permission = {kind: 'admin'} as const

/** Operations that inject faults into a local server or set its clock, for tests. Available on loopback only. */
export const testHookOperations = {
  showFaults: operation({
    id: 'showFaults',
    method: 'GET',
    path: '/_admin/faults',
    summary: 'show the faults on purpose',
    area,
    permission,
    handle: async ({platform}: LocalContext) => platform.processes.faults(),
  }),
  setFaults: operation({
    id: 'setFaults',
    method: 'POST',
    path: '/_admin/faults',
    summary: 'replace the faults on purpose',
    area,
    permission,
    body: FaultPlan,
    handle: async ({platform}: LocalContext, {body}) => platform.processes.faults(body),
  }),
  showClock: operation({
    id: 'showClock',
    method: 'GET',
    path: '/_admin/clock',
    summary: 'show the time of the server',
    area,
    permission,
    handle: async ({platform}: LocalContext) => platform.processes.clock(),
  }),
  changeClock: operation({
    id: 'changeClock',
    method: 'POST',
    path: '/_admin/clock',
    summary: 'advance, freeze or release the time of the server',
    area,
    permission,
    body: ClockChange,
    handle: async ({platform}: LocalContext, {body}) => platform.processes.clock(body),
  }),
}
