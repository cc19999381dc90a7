import {databaseAddressOf} from './connection/address.js'
import {Connections, lockTimeout, pagesOf, patientMs, type Run} from './connection/connections.js'
import {openingError} from './connection/faults.js'
import {uniqueKeysOf} from './documents.js'
import * as sql from './schema/statements.js'
import {restored, storable} from './schema/text-form.js'

/** A unique key and the documents that name it do not agree. */
export interface Disagreement {
  readonly project: string
  readonly kind: string
  readonly id: string
  readonly key: string
  /** `orphan`: the key has a row, its document does not hold it. `missing`: a document holds it without a row. */
  readonly problem: 'orphan' | 'missing'
  /** Absent if nothing was to be mended. False: another document has the key meanwhile. */
  readonly mended?: boolean
}

export interface Examination {
  readonly projects: readonly {readonly name: string; readonly documents: number}[]
  readonly disagreements: readonly Disagreement[]
}

type Place = readonly [project: string, kind: string, key: string, holder: string]

/**
 * Compares every unique key with its document, in both directions; with `mend`, removes rows without a holder and adds
 * those that documents lack. A commit that is under way may show where nothing is mended. Throws StateError.
 */
export async function examine(url: string, mend: boolean): Promise<Examination> {
  const connections = new Connections(databaseAddressOf(url))
  try {
    await connections.recognize()
    const projects: {name: string; documents: number}[] = []
    const disagreements: Disagreement[] = []
    for (const [name = ''] of (await connections.read(sql.listProjects)).rows) {
      const project = name ?? ''
      let documents = 0
      for await (const found of disagreementsIn(connections, project, () => (documents += 1))) {
        const mended = mend ? {mended: await mendedBy(connections, found)} : {}
        const [of, kind, key, id] = found.place.map(restored) as unknown as Place
        disagreements.push({project: of, kind, id, key, problem: found.problem, ...mended})
      }
      projects.push({name: restored(project), documents})
    }
    return {projects, disagreements}
  } catch (error) {
    throw openingError(error, connections.label)
  } finally {
    await connections.close()
  }
}

interface Found {
  /** As the database has it. */
  readonly place: Place
  readonly shared: boolean
  readonly problem: Disagreement['problem']
}

async function* disagreementsIn({read}: Connections, project: string, count: () => void): AsyncGenerator<Found> {
  for await (const rows of pagesOf(read, sql.walkDocuments, [project], ['', ''])) {
    for (const [kind, id, , keys] of rows) {
      count()
      for (const {key, shared = false} of uniqueKeysOf(keys)) {
        const place: Place = [project, kind ?? '', storable(key), id ?? '']
        if (!(await hasRow(read, place, shared))) yield {place, shared, problem: 'missing'}
      }
    }
  }
  for (const shared of [false, true]) {
    for await (const rows of pagesOf(read, shared ? sql.walkShares : sql.walkUniqueKeys, [project], ['', '', ''])) {
      for (const [kind, key, holder] of rows) {
        const place: Place = [project, kind ?? '', key ?? '', holder ?? '']
        if (!(await isNamed(read, place, shared))) yield {place, shared, problem: 'orphan'}
      }
    }
  }
}

async function hasRow(run: Run, [project, kind, key, holder]: Place, shared: boolean): Promise<boolean> {
  const {rows} = await run(shared ? sql.readSharers : sql.readUniqueKey, [project, kind, key])
  return rows.some((row) => row[2] === holder)
}

async function isNamed(run: Run, [project, kind, key, holder]: Place, shared: boolean): Promise<boolean> {
  const {rows} = await run(sql.readVersion, [project, kind, holder])
  return uniqueKeysOf(rows[0]?.[1]).some((one) => storable(one.key) === key && (one.shared ?? false) === shared)
}

/** Looks once more under the lock of the document, and mends what is still so. False: another document has the key. */
function mendedBy(connections: Connections, {place, shared, problem}: Found): Promise<boolean> {
  const [project, kind, key, holder] = place
  return connections.transaction(false, async ({run, insert}) => {
    await run(lockTimeout(patientMs))
    await run(sql.lockForReplacing, [project, kind, holder])
    if ((await isNamed(run, place, shared)) === (await hasRow(run, place, shared))) return true
    if (problem === 'orphan') await run(shared ? sql.leaveShare : sql.freeUniqueKey, place)
    else if (!shared) return (await insert(sql.takeUniqueKeys, project, [[kind, key, holder]])).length === 1
    else {
      await run(sql.prepareShared, [project, kind, key])
      const [row] = (await run(sql.lockForSharing, [project, kind, key])).rows
      if (typeof row?.[2] === 'string') return false
      await run(sql.joinShare, place)
    }
    return true
  })
}
