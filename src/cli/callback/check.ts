import type {Run} from '../check/check-command.js'
import {runSteps} from '../check/run-steps.js'
import {type Asked, steps} from './steps.js'

export const checkCallback = (asked: Asked): Promise<Run> => runSteps(steps, asked)
