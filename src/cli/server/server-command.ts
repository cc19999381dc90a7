import type {Command} from '@oclif/core'
import {BaseCommand} from '../command/base-command.js'
import {localProfile} from '../target/profiles.js'
import type {ResolvedTarget} from '../target/target.js'
import {type LocalState, localStateOf} from './local-state.js'

/** A command about the local server and its state. */
export abstract class ServerCommand<T extends typeof Command> extends BaseCommand<T> {
  protected override everyProject = true

  protected get local(): LocalState {
    return localStateOf({flags: this.flags, chosen: this.chosen, folders: this.folders})
  }

  /** The local state as target. A profile of a remote project does not guard it; the built-in profile does. */
  override get resolved(): ResolvedTarget {
    const {chosen, local} = this
    const isElsewhere = chosen.profile.kind === 'remote'
    const name = isElsewhere ? {value: 'local', origin: 'default'} : chosen.name
    return {
      target: {kind: 'embedded', dataDir: local.dataDir, projectKey: local.projectKey},
      label: name.value,
      profile: isElsewhere ? localProfile : chosen.profile,
      origins: new Map([
        ['profile', name],
        ['dataDir', {value: local.dataDir, origin: 'local state'}],
        ['projectKey', {value: local.projectKey, origin: 'local state'}],
      ]),
    }
  }
}
