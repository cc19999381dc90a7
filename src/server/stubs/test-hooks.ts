import type {Context} from '../../api/operation/context.js'
import {operation} from '../../api/operation/operation.js'
import {FaultPlan, type Faults} from '../http/faults.js'
import type {AdministeredPlatform} from '../local/admin.js'
import {ClockChange, changeClock, type TestClock} from './test-clock.js'

const area = 'Administration'
const permission = {kind: 'admin'} as const

/** The platform of a server with fault injection and a test clock. */
interface HookedPlatform extends AdministeredPlatform {
  readonly faults: Faults
  readonly testClock: TestClock
}

const hooked = ({platform}: Context): HookedPlatform => platform as HookedPlatform

/** Operations that inject faults into a local server or set its clock, for tests. Available on loopback only. */
export const testHookOperations = {
  showFaults: operation({
    id: 'showFaults',
    method: 'GET',
    path: '/_admin/faults',
    summary: 'show the faults on purpose',
    area,
    permission,
    success: 200,
    handle: async (context) => ({status: 200, body: hooked(context).faults.state}),
  }),
  setFaults: operation({
    id: 'setFaults',
    method: 'POST',
    path: '/_admin/faults',
    summary: 'replace the faults on purpose',
    area,
    permission,
    body: FaultPlan,
    success: 200,
    handle: async (context, {body}) => {
      const {faults} = hooked(context)
      faults.set(body)
      return {status: 200, body: faults.state}
    },
  }),
  showClock: operation({
    id: 'showClock',
    method: 'GET',
    path: '/_admin/clock',
    summary: 'show the time of the server',
    area,
    permission,
    success: 200,
    handle: async (context) => ({status: 200, body: hooked(context).testClock.state}),
  }),
  changeClock: operation({
    id: 'changeClock',
    method: 'POST',
    path: '/_admin/clock',
    summary: 'advance, freeze or release the time of the server',
    area,
    permission,
    body: ClockChange,
    success: 200,
    handle: async (context, {body}) => {
      const {testClock} = hooked(context)
      changeClock(testClock, body)
      return {status: 200, body: testClock.state}
    },
  }),
}
