import type {Context, Platform} from '../../api/operation/context.js'
import {operation} from '../../api/operation/operation.js'
import {FaultPlan} from '../http/faults.js'
import type {Processes} from '../processes.js'
import {ClockChange} from './test-clock.js'

const area = 'Administration'
const permission = {kind: 'admin'} as const

const hooked = ({platform}: Context): Processes => (platform as Platform & {readonly processes: Processes}).processes

/** Operations that inject faults into a local server or set its clock, for tests. Available on loopback only. */
export const testHookOperations = {
  showFaults: operation({
    id: 'showFaults',
    method: 'GET',
    path: '/_admin/faults',
    summary: 'show the faults on purpose',
    area,
    permission,
    handle: async (context) => hooked(context).faults(),
  }),
  setFaults: operation({
    id: 'setFaults',
    method: 'POST',
    path: '/_admin/faults',
    summary: 'replace the faults on purpose',
    area,
    permission,
    body: FaultPlan,
    handle: async (context, {body}) => hooked(context).faults(body),
  }),
  showClock: operation({
    id: 'showClock',
    method: 'GET',
    path: '/_admin/clock',
    summary: 'show the time of the server',
    area,
    permission,
    handle: async (context) => hooked(context).clock(),
  }),
  changeClock: operation({
    id: 'changeClock',
    method: 'POST',
    path: '/_admin/clock',
    summary: 'advance, freeze or release the time of the server',
    area,
    permission,
    body: ClockChange,
    handle: async (context, {body}) => hooked(context).clock(body),
  }),
}
