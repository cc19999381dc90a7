import type {Command} from '@oclif/core'
import type {Client} from '../../client/client.js'
import {BaseCommand} from '../command/base-command.js'
import type {ResolvedTarget} from '../target/target.js'
import {asCustomer, explained, type Identity, type IdentityFlags} from './identity.js'

/** A command that acts as a customer. Its flags include `identityFlags`. */
export abstract class QuoteCommand<T extends typeof Command> extends BaseCommand<T> {
  #identity: Identity | undefined

  protected get identity(): Identity {
    const {io, folders} = this
    this.#identity ??= asCustomer({flags: this.flags, io, folders, resolved: super.resolved})
    return this.#identity
  }

  override get resolved(): ResolvedTarget {
    return this.identity.resolved
  }

  override async client(): Promise<Client> {
    await this.identity.ready()
    return this.identity.speaking(await super.client())
  }

  override async asClient<R>(work: (client: Client) => Promise<R>): Promise<R> {
    const client = await this.connection.to(super.resolved.target)
    return work(client).finally(() => client.close())
  }

  override commandLine(words: readonly string[], store?: string): string {
    const {as} = this.flags as IdentityFlags
    return super.commandLine([...words, ...(as === undefined ? [] : ['--as', as])], store)
  }

  override catch(error: Error): Promise<void> {
    return super.catch(explained(error))
  }
}
