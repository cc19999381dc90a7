import {actionOf} from '../action.js'
import type {Project} from './project.js'

/** Declares an update action of the project. */
export const projectAction = actionOf<Project>()
