import type {Command} from '@oclif/core'
import {resolvedPath} from '../../files/folders.js'
import {BaseCommand} from '../command/base-command.js'
import type {Use} from '../command/idle-flags.js'
import type {Shows} from '../run/redaction.js'
import {checkedProjectKey} from '../target/addresses.js'
import {localProfile} from '../target/profiles.js'
import {builtIn, type Origin, originText, settingOf} from '../target/settings.js'
import type {Subject} from '../target/subject.js'
import type {ResolvedTarget} from '../target/target.js'

/** A command about the local server and its state. */
export abstract class ServerCommand<T extends typeof Command> extends BaseCommand<T> {
  static override uses: readonly Use[] = ['profile', 'project', 'state']
  static override shows: Shows = 'installation'
  protected override everyProject = true

  protected get local(): LocalState {
    const {flags, chosen, folders} = this
    const profile = chosen.profile.apiUrl === undefined ? chosen.profile : localProfile
    const options = {flags, chosen}
    const data = settingOf('data', 'FRONTDESK_DATA_DIR', profile.dataDir, options)
    const project = settingOf('project-key', 'FRONTDESK_PROJECT_KEY', profile.projectKey, options)
    const {by, name} = project?.origin ?? builtIn
    return {
      dataDir: resolvedPath(data?.value ?? folders.data),
      projectKey: checkedProjectKey(project?.value ?? localProfile.projectKey, originText(project?.origin ?? builtIn)),
      ...(by === 'default' || (by === 'profile' && name === 'local') ? {isDefaultProject: true as const} : {}),
    }
  }

  /** The local state as target. A profile of a remote project does not guard it; the built-in profile does. */
  override get resolved(): ResolvedTarget {
    const {chosen, local} = this
    const isElsewhere = chosen.profile.apiUrl !== undefined
    const name = isElsewhere ? {value: 'local', origin: builtIn} : chosen.name
    return {
      target: {kind: 'embedded', dataDir: local.dataDir, projectKey: local.projectKey},
      label: name.value,
      profile: isElsewhere ? localProfile : chosen.profile,
      origins: new Map([
        ['profile', name],
        ['dataDir', {value: local.dataDir, origin: ofCommand}],
        ['projectKey', {value: local.projectKey, origin: ofCommand}],
      ]),
    }
  }
}

/** A command about all projects of a local server, whichever they are. */
export abstract class WholeServerCommand<T extends typeof Command> extends ServerCommand<T> {
  static override uses: readonly Use[] = ['profile', 'state']

  override get subject(): Subject {
    return {address: `${this.local.dataDir} (every project)`}
  }
}

/** A command about the local server names the local state by itself. */
const ofCommand: Origin = {by: 'argument', name: 'local state'}

/** The local state that server commands use; a remote address is ignored. */
export interface LocalState {
  readonly dataDir: string
  readonly projectKey: string
  /** Nobody named a project: it is the one that a first use makes. */
  readonly isDefaultProject?: true
}
