import {type FuzzRequest, Requests} from './requests.js'
import {Target} from './target.js'

/** Requests by seed against a server: none may end it, hold it, fill it, or be answered by a fault of its own. */

export interface Found {
  readonly statuses: ReadonlyMap<string, number>
  readonly longestHeldMs: number
  readonly mostMegabytes: number
  /** What went wrong, with the requests that show it. */
  readonly faults: readonly string[]
}

const slice = 200
/** Three times what no single request may take, since a collection of garbage falls into some turn. */
const mostHeldMs = 75
/** The same on a slow machine, in times that it takes for a megabyte of JSON. */
const unitsAllowed = 18
const mostMegabytes = 1_000

export async function fuzz({seed, from, count}: {seed: number; from: number; count: number}): Promise<Found> {
  const target = await Target.start()
  const requests = new Requests(target.world, seed)
  const statuses = new Map<string, number>()
  const faults: string[] = []
  const bound = Math.max(mostHeldMs, target.unitMs * unitsAllowed)
  let [longestHeldMs, most] = [0, 0]
  const note = (request: FuzzRequest, why: string): void => {
    faults.push(
      `${why}: --seed ${seed} --from ${request.index} --requests 1 (${request.what})\n${request.text.slice(0, 2_000)}`,
    )
  }
  try {
    for (let at = from; at < from + count && faults.length < 20; at += slice) {
      const end = Math.min(from + count, at + slice)
      const heldMs = await target.held(async () => {
        for (let index = at; index < end; index += 1) {
          const request = requests.at(index)
          const answer = await target.ask(request).catch(() => 'none' as const)
          const status = answer === 'none' ? answer : answer?.status
          if (answer !== 'none') requests.learned.take(request.text, answer?.body)
          statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
          if (target.hasEnded) return note(request, 'ended the server')
          if (isFault(status, request)) note(request, `answered ${status}`)
        }
      })
      longestHeldMs = Math.max(longestHeldMs, heldMs)
      most = Math.max(most, target.megabytes)
      const range = `--seed ${seed} --from ${at} --requests ${end - at}`
      if (heldMs > bound) faults.push(`held the server for ${heldMs.toFixed(0)} ms: ${range}`)
      if (most > mostMegabytes) faults.push(`filled the server with ${most.toFixed(0)} MB: ${range}`)
    }
  } catch (error) {
    faults.push(String(error))
  } finally {
    target.stop()
  }
  return {statuses, longestHeldMs, mostMegabytes: most, faults}
}

/** Too much work is refused with 503; all else from 500 is a fault of the server, and so is silence to good HTTP. */
const isFault = (status: number | string | undefined, {isBroken}: FuzzRequest): boolean =>
  typeof status === 'number' ? status >= 500 && status !== 503 : status === 'none' || !isBroken
