import {existsSync, readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {placeKey, placeOf} from '../../client/place.js'
import {privateFolder, readPrivate, removeQuietly, replacePrivate} from '../../files/private-file.js'
import {liveness, parsedIdentity, thisProcess} from '../../files/process-identity.js'
import type {PersonNames} from '../../transfer/jobs/traces.js'
import type {Run} from '../run/run.js'
import {digestOf, jobsFolder} from '../target/settings.js'

/**
 * Erasures at work. The target is asked first: where it refuses, this machine keeps what it has. By which names it knows the
 * person is on disk before the request, so that the next run empties this machine of somebody who is gone from the target.
 */

interface Erasure {
  readonly run: unknown
  /** Address or folder, project and store. */
  readonly place: string
  readonly persons: readonly PersonNames[]
}

const placeOfRun = ({resolved: {target}}: Run): string => `${placeKey(placeOf(target))} ${target.storeKey ?? ''}`

/** Notes that a customer is about to be erased. Returns what removes the note. */
export function beginErasure(run: Run, persons: readonly PersonNames[]): () => void {
  const erasure: Erasure = {run: thisProcess(), place: placeOfRun(run), persons}
  const name = digestOf([erasure.place, persons[0]?.id])
  const path = join(privateFolder(jobsFolder(run.folders)), `erasing-${name.slice(0, 16)}.json`)
  replacePrivate(path, JSON.stringify(erasure))
  return () => removeQuietly(path)
}

/** The erasures of this place that were broken off. */
export const brokenOff = (run: Run) =>
  erasuresIn(jobsFolder(run.folders)).filter(({place, isAtWork}) => place === placeOfRun(run) && !isAtWork)

/** In how many erasures of this place that have not ended a customer is named. */
export const countErasures = (run: Run, id: string): number =>
  erasuresIn(jobsFolder(run.folders)).filter(
    ({place, persons}) => place === placeOfRun(run) && persons.some((one) => one.id === id),
  ).length

/** Removes what nobody has gone on with. */
export function pruneErasures(folder: string, before: number): void {
  for (const {path, isAtWork} of erasuresIn(folder))
    if (!isAtWork && (statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? before) < before) removeQuietly(path)
}

function erasuresIn(folder: string) {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => /^erasing-[0-9a-f]{16}\.json$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name)
      const text = readPrivate(path)
      if (text === undefined) return []
      const erasure = JSON.parse(text) as Erasure
      const by = parsedIdentity(erasure.run)
      return [{...erasure, path, isAtWork: by !== undefined && liveness(by) === 'alive'}]
    })
}
