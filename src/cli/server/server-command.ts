import type {Command} from '@oclif/core'
import {BaseCommand} from '../base-command.js'
import {type LocalState, localStateOf} from './local-state.js'

/** A command about the local server and its state. */
export abstract class ServerCommand<T extends typeof Command> extends BaseCommand<T> {
  protected get local(): LocalState {
    return localStateOf({flags: this.flags, env: this.io.env, chosen: this.chosen, folders: this.folders})
  }
}
