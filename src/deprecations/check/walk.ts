import {open, readdir, stat} from 'node:fs/promises'
import {join, relative, sep} from 'node:path'
import type {Check, CheckResult} from './check.js'
import {isScript, kindOfName} from './kind.js'

/** A path that a person named cannot be read. */
export class UnreadablePath extends Error {
  readonly path: string

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`)
    this.name = 'UnreadablePath'
    this.path = path
  }
}

/** Larger files are noted and passed over. */
const maxMiB = 5
const maxBytes = maxMiB * 1024 * 1024
const skippedFolders = new Set(['node_modules', '.git', '.hg', '.svn'])
const generated = /^(?:package-lock\.json|npm-shrinkwrap\.json|composer\.lock)$/

const reasons = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ELOOP', 'too many symbolic links'],
])

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons.get(code) ?? `cannot be read (${code || 'unknown reason'})`
}

/** Paths of files below a folder, sorted within each, that a name tells how to read. Links are not followed. */
async function* filesBelow(folder: string): AsyncGenerator<string | UnreadablePath> {
  const entries = await readdir(folder, {withFileTypes: true}).catch((error: unknown) => reasonOf(error))
  if (typeof entries === 'string') {
    yield new UnreadablePath(folder, entries)
    return
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) yield* filesBelow(path)
    else if (entry.isFile() && kindOfName(entry.name) && !generated.test(entry.name)) yield path
  }
}

/** The text of a file, or why it is not checked. */
const readText = async (path: string): Promise<{text: string} | {reason: string}> => {
  const file = await open(path, 'r')
  try {
    const {size} = await file.stat()
    if (size > maxBytes) return {reason: `larger than ${maxMiB} MiB, not checked`}
    // Read no more than the limit even if the file grows meanwhile.
    const buffer = Buffer.alloc(Math.min(size, maxBytes) + 1)
    const {bytesRead} = await file.read(buffer, 0, buffer.length, 0)
    const bytes = buffer.subarray(0, bytesRead)
    return bytes.includes(0) ? {reason: 'binary, not checked'} : {text: bytes.toString('utf8')}
  } finally {
    await file.close()
  }
}

const shownPath = (path: string, cwd: string): string => {
  const inside = relative(cwd, path)
  const shown = inside === '' || inside.startsWith('..') ? path : inside
  return sep === '/' ? shown : shown.replaceAll(sep, '/')
}

const noted = (path: string, message: string): CheckResult => ({
  path,
  findings: [],
  entries: 0,
  notes: [{path, message, isUnread: true}],
})

/**
 * Checks files and everything below folders, one file in memory at a time. A named file or folder that cannot be read
 * throws UnreadablePath, a missing one before anything is checked; what cannot be read below a folder is noted. Paths
 * inside `cwd` are shown relative to it.
 */
export async function* checkPaths(check: Check, paths: readonly string[], cwd: string): AsyncGenerator<CheckResult> {
  const named = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path).catch((error: unknown) => {
        throw new UnreadablePath(path, reasonOf(error))
      })
      if (!found.isFile() && !found.isDirectory()) throw new UnreadablePath(path, 'neither a file nor a folder')
      return {path, isFolder: found.isDirectory()}
    }),
  )
  for (const {path, isFolder} of named) {
    if (!isFolder) yield await checkNamed(check, path, cwd)
    else {
      for await (const file of filesBelow(path)) {
        if (file instanceof UnreadablePath) yield noted(shownPath(file.path, cwd), file.message)
        else yield await checkFile(check, file, cwd)
      }
    }
  }
}

/** A path that was named explicitly must be readable, or the result would be misleading. */
const checkNamed = async (check: Check, path: string, cwd: string): Promise<CheckResult> => {
  const checked = await checkFile(check, path, cwd)
  const unread = checked.notes.find(({isUnread}) => isUnread)
  if (unread) throw new UnreadablePath(path, unread.message)
  return checked
}

const checkFile = async (check: Check, path: string, cwd: string): Promise<CheckResult> => {
  const shown = shownPath(path, cwd)
  if (isScript(path)) return noted(shown, 'JavaScript and TypeScript are not read')
  try {
    const read = await readText(path)
    if ('reason' in read) return noted(shown, read.reason)
    const checked = await check.text({path: shown, text: read.text})
    return checked.entries > 0 ? {...checked, isFile: true} : checked
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return noted(shown, reasonOf(error))
  }
}
