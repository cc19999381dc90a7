import {actionOf, setterOf} from '../action.js'
import type {Project} from './project.js'

/** Declares an update action of the project. */
export const projectAction = actionOf<Project>()

/** Declares an action that sets one member of the project. */
export const projectSetter = setterOf<Project>()
