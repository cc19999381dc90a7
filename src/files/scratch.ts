import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createPrivate} from './private-file.js'
import {liveness, parsedIdentity, thisProcess} from './process-identity.js'

/**
 * Data that nobody needs after this process: one private folder in the system's temporary one, gone when the process ends.
 * What a process leaves that is killed, the next start of any command removes.
 */

const prefix = 'frontdesk-scratch-'
const ownerName = 'owner.json'
/** A folder without an owner may belong to a process that is about to name itself. */
const namingMs = 60_000

let own: string | undefined

/** A folder of its own below that of this process. The caller removes it as soon as it can. */
export function scratchFolder(purpose: string): string {
  if (own === undefined) process.once('exit', removeOwn)
  // Systems clean their temporary folder of what is old.
  if (own === undefined || !existsSync(own)) {
    own = mkdtempSync(join(tmpdir(), prefix))
    createPrivate(join(own, ownerName), JSON.stringify(thisProcess()), {durable: false})
  }
  return mkdtempSync(join(own, `${purpose}-`))
}

function removeOwn(): void {
  if (own !== undefined) removeScratch(own)
}

/** Removes a folder, if it is there. A failure leaves it to the next start. */
export function removeScratch(path: string): void {
  try {
    rmSync(path, {recursive: true, force: true})
  } catch {
    // Its owner will be dead by then.
  }
}

/** Removes the folders of this user's processes that have ended. */
export function removeAbandonedScratch(): void {
  const folder = tmpdir()
  for (const name of namesIn(folder)) {
    if (name.startsWith(prefix) && isAbandoned(join(folder, name))) removeScratch(join(folder, name))
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isAbandoned(path: string): boolean {
  try {
    const {uid, mtimeMs} = statSync(path)
    if (process.getuid !== undefined && uid !== process.getuid()) return false
    const owner = ownerIn(path)
    return owner ? liveness(owner) === 'dead' : mtimeMs < Date.now() - namingMs
  } catch {
    return false
  }
}

function ownerIn(path: string) {
  try {
    return parsedIdentity(JSON.parse(readFileSync(join(path, ownerName), 'utf8')))
  } catch {
    return undefined
  }
}
