import {type Registry, registryOf} from '../../action.js'
import type {Project} from '../project.js'
import {changeLanguages} from './change-languages.js'
import {changeMessagesConfiguration} from './change-messages-configuration.js'
import {setExternalOAuth} from './set-external-oauth.js'

/** Every update action of a project, by name (decision 35). */
export const projectActions: Registry<Project> = registryOf([
  setExternalOAuth,
  changeLanguages,
  changeMessagesConfiguration,
])
