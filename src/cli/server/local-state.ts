import {resolve} from 'node:path'
import {checkedProjectKey} from '../target/addresses.js'
import {localProfile} from '../target/profiles.js'
import {type Chosen, type Folders, type GlobalFlags, settingOf} from '../target/settings.js'

/** The local state that server commands use; a remote address is ignored. */
export interface LocalState {
  readonly dataDir: string
  readonly projectKey: string
  /** Nobody named a project: it is the one that a first use makes. */
  readonly isDefaultProject?: true
}

export function localStateOf({
  flags,
  chosen,
  folders,
}: {
  readonly flags: GlobalFlags
  readonly chosen: Chosen
  readonly folders: Folders
}): LocalState {
  const profile = chosen.profile.kind === 'remote' ? localProfile : chosen.profile
  const options = {flags, chosen}
  const data = settingOf('data', 'FRONTDESK_DATA_DIR', profile.dataDir, options)
  const project = settingOf('project-key', 'FRONTDESK_PROJECT_KEY', profile.projectKey, options)
  return {
    dataDir: resolve(data?.value ?? folders.data),
    projectKey: checkedProjectKey(project?.value ?? localProfile.projectKey, project?.origin ?? 'default'),
    ...(project === undefined || project.origin === 'profile local' ? {isDefaultProject: true as const} : {}),
  }
}
