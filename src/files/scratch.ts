import {existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {isAbsolute, join, resolve} from 'node:path'
import {createPrivate, namesIn, removeQuietly, temporaryForm, temporaryName} from './private-file.js'
import {liveness, parsedIdentity, thisProcess} from './process-identity.js'

/**
 * Data that nobody needs after this process: one private folder in the system's temporary one, gone when the process ends.
 * What a process leaves that is killed, the next start of any command removes.
 */

const prefix = 'frontdesk-scratch-'
const ownerName = 'owner.json'
/** A folder without an owner may belong to a process that is about to name itself. */
const namingMs = 60_000

/** Never the current folder or one below it, whatever variables say. */
const systemFolder = (): string => (isAbsolute(tmpdir()) && !/[\0-\u001F]/.test(tmpdir()) ? tmpdir() : '/tmp')

let own: string | undefined

/** A folder of its own below that of this process. The caller removes it as soon as it can. */
export function scratchFolder(purpose: string): string {
  if (own === undefined) process.once('exit', removeOwn)
  // Systems clean their temporary folder of what is old.
  if (own === undefined || !existsSync(own)) {
    own = mkdtempSync(join(systemFolder(), prefix))
    createPrivate(join(own, ownerName), JSON.stringify(thisProcess()), {durable: false})
  }
  return mkdtempSync(join(own, `${purpose}-`))
}

const besidePurpose = 'beside'
const pathName = 'path'

/** A file under construction, whose path is noted in the scratch folder until it is released. */
export interface Temporary {
  readonly path: string
  /** Removes the file, if it is there still. */
  release(): void
}

/** A temporary name beside a file that takes long to write. If this process is killed, the next start removes the file. */
export function temporaryBeside(path: string): Temporary {
  const temporary = temporaryName(resolve(path))
  const note = noteOf(temporary)
  return {
    path: temporary,
    release: () => {
      removeQuietly(temporary)
      if (note !== undefined) removeScratch(note)
    },
  }
}

/** Nothing where there is no temporary folder to write to: the file itself may be elsewhere. */
function noteOf(temporary: string): string | undefined {
  try {
    const note = scratchFolder(besidePurpose)
    createPrivate(join(note, pathName), temporary, {durable: false})
    return note
  } catch {
    return undefined
  }
}

function removeOwn(): void {
  if (own !== undefined) removeWithNoted(own)
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
  const folder = systemFolder()
  for (const name of namesIn(folder)) {
    if (name.startsWith(prefix) && isAbandoned(join(folder, name))) removeWithNoted(join(folder, name))
  }
}

/** Removes the folder of a process, and the files under construction that it notes. */
function removeWithNoted(folder: string): void {
  for (const name of namesIn(folder)) {
    if (name.startsWith(`${besidePurpose}-`)) removeNoted(join(folder, name, pathName))
  }
  removeScratch(folder)
}

/** Removes the temporary file that a note names: a plain one of this user with a name that only such files have. */
function removeNoted(note: string): void {
  try {
    const path = readFileSync(note, 'utf8')
    const stats = lstatSync(path)
    const isOurs = process.getuid === undefined || stats.uid === process.getuid()
    if (temporaryForm.test(path) && stats.isFile() && isOurs) removeQuietly(path)
  } catch {
    // It came to its name, or was never begun.
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
