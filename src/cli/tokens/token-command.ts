import type {Command} from '@oclif/core'
import {BaseCommand} from '../command/base-command.js'
import {givenToken} from './token-input.js'

/** A command that takes a token: from stdin, a file, a saved session or a hidden prompt. */
export abstract class TokenCommand<T extends typeof Command> extends BaseCommand<T> {
  // Not `token`: oclif's parser sets a member of that name on its context, the command.
  protected readToken(part: 'access' | 'refresh' = 'access'): Promise<string> {
    return givenToken(this, (this.args as {readonly source?: string}).source, part)
  }
}
