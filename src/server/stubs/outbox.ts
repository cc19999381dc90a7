import type {NewToken} from '../../api/operation/context.js'
import {limits} from '../../work/limits.js'

/** The one-time tokens that were made last, in memory alone: what a shop would have mailed. */
export class Outbox {
  #tokens: readonly NewToken[] = []

  readonly add = (token: NewToken): void => {
    this.#tokens = [...this.#tokens.slice(1 - limits.tokensKept), token]
  }

  /** Those of a project, the newest first. */
  of(projectKey: string): NewToken[] {
    return this.#tokens.filter((token) => token.projectKey === projectKey).toReversed()
  }

  clear(projectKey: string): void {
    this.#tokens = this.#tokens.filter((token) => token.projectKey !== projectKey)
  }
}
