/** How far a job was at a moment. */
export interface PacePoint {
  readonly at: number
  readonly read: number
  /** A run begins here: the pause before it is not part of the work. */
  readonly starts?: true
}

export interface PaceLine {
  readonly pace: PacePoint
}

const [leastMs, mostPoints] = [1000, 200]

/** Says when the pace of a run is to be noted: every second, and ever more seldom in a long run. */
export function paceOf(now: () => number) {
  const startedAt = now()
  let notedAt = startedAt
  return {
    start: (read: number): PaceLine => ({pace: {at: startedAt, read, starts: true}}),
    /** The line to write, if it is time for one; `isEnd` says that none will follow. */
    line(read: number, isEnd = false): PaceLine | undefined {
      const at = now()
      const everyMs = Math.max(leastMs, (at - startedAt) / mostPoints)
      if (!isEnd && at - notedAt < everyMs) return undefined
      notedAt = at
      return {pace: {at, read}}
    },
  }
}
