import type {MadeToken} from '../../api/operation/context.js'
import {limits} from '../../limits.js'

/** The one-time tokens that were made last, in memory alone: what a shop would have mailed. */
export class Outbox {
  #tokens: readonly MadeToken[] = []

  readonly add = (token: MadeToken): void => {
    this.#tokens = [...this.#tokens.slice(1 - limits.tokensKept), token]
  }

  /** Those of a project, the newest first. */
  of(projectKey: string): MadeToken[] {
    return this.#tokens.filter((token) => token.projectKey === projectKey).toReversed()
  }

  clear(projectKey: string): void {
    this.#tokens = this.#tokens.filter((token) => token.projectKey !== projectKey)
  }
}
