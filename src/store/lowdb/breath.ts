import {setImmediate as turn} from 'node:timers/promises'

/** Lets other work run if this one has had its share of the event loop. Long work calls it between its steps. */
export type Breath = () => Promise<void> | undefined

export function breather(budgetMs: number): Breath {
  let end = performance.now() + budgetMs
  return () => {
    if (performance.now() < end) return undefined
    return turn().then(() => {
      end = performance.now() + budgetMs
    })
  }
}
