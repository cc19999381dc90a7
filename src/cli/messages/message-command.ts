import type {Command} from '@oclif/core'
import {BaseCommand} from '../command/base-command.js'
import {calling, type Use} from '../command/idle-flags.js'
import {messageReads} from '../command/operations.js'

/** A command that reads messages, and masks the values of one-time tokens in them unless they are revealed. */
export abstract class MessageCommand<T extends typeof Command> extends BaseCommand<T> {
  static override operations = messageReads
  static override uses: readonly Use[] = [...calling, 'tokens']
}
