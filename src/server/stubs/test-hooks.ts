import {operation} from '../../api/operation/operation.js'
import {FaultPlan, type Faults} from '../http/faults.js'
import {ClockChange, changeClock, type TestClock} from './test-clock.js'

const area = 'Administration'
const permission = {kind: 'admin'} as const

/** Operations that make a local server misbehave or move its time, for tests. They exist on loopback only. */
export const testHookOperations = (faults: Faults, clock: TestClock) => [
  operation({
    id: 'showFaults',
    method: 'GET',
    path: '/_admin/faults',
    summary: 'show the faults on purpose',
    area,
    permission,
    success: 200,
    handle: async () => ({status: 200, body: faults.state}),
  }),
  operation({
    id: 'setFaults',
    method: 'POST',
    path: '/_admin/faults',
    summary: 'replace the faults on purpose',
    area,
    permission,
    body: FaultPlan,
    success: 200,
    handle: async (_, {body}) => {
      faults.set(body)
      return {status: 200, body: faults.state}
    },
  }),
  operation({
    id: 'showClock',
    method: 'GET',
    path: '/_admin/clock',
    summary: 'show the time of the server',
    area,
    permission,
    success: 200,
    handle: async () => ({status: 200, body: clock.state}),
  }),
  operation({
    id: 'changeClock',
    method: 'POST',
    path: '/_admin/clock',
    summary: 'advance, freeze or release the time of the server',
    area,
    permission,
    body: ClockChange,
    success: 200,
    handle: async (_, {body}) => {
      changeClock(clock, body)
      return {status: 200, body: clock.state}
    },
  }),
]
