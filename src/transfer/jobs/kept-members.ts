import type {Place} from '../input/row.js'

/** Members that stay because somebody else changed them after the last run. */
export interface KeptMembers {
  readonly rows: number
  readonly members: Readonly<Record<string, number>>
  readonly first: readonly KeptRow[]
}

export type KeptRow = Place & {readonly id?: string; readonly members: readonly string[]}

const mostFirst = 100

export class KeptRows {
  #rows = 0
  readonly #members = new Map<string, number>()
  readonly #first: KeptRow[] = []

  add(place: Place, id: string | undefined, members: readonly string[]): void {
    this.#rows += 1
    for (const name of members) {
      // Addresses by their places are too many names.
      const member = name.replace(/\.\d+$/, '')
      this.#members.set(member, (this.#members.get(member) ?? 0) + 1)
    }
    if (this.#first.length < mostFirst) this.#first.push({...place, ...(id === undefined ? {} : {id}), members})
  }

  /** Nothing where no row keeps anything. */
  get found(): {readonly kept?: KeptMembers} {
    if (this.#rows === 0) return {}
    const members = [...this.#members].sort(([, one], [, other]) => other - one)
    // Rows end in any order.
    const first = this.#first.toSorted((one, other) => one.line - other.line)
    return {kept: {rows: this.#rows, members: Object.fromEntries(members), first}}
  }
}
