import {type Registry, registryOf} from '../../action.js'
import type {Project} from '../project.js'
import {changeCustomerSearchStatus} from './change-customer-search-status.js'
import {changeMessagesConfiguration, changeMessagesEnabled} from './change-messages-configuration.js'
import {changeCountries, changeCurrencies, changeLanguages, changeName} from './members.js'
import {setExternalOAuth} from './set-external-oauth.js'

/** Every update action of a project, by name (decision 35). */
export const projectActions: Registry<Project> = registryOf([
  setExternalOAuth,
  changeName,
  changeLanguages,
  changeCountries,
  changeCurrencies,
  changeMessagesConfiguration,
  changeMessagesEnabled,
  changeCustomerSearchStatus,
])
