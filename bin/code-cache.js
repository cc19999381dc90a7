// V8's compiled code of the bundle, kept for the next start in a folder of the user's own. What V8 reads from there it runs
// unseen, so nothing is read that another user could have written: the folder has mode 0700, the file 0600, both belong to
// this user, and neither is a link. Everything here is optional: a failure means a slower start, and is silent.
const fs = require('node:fs')
const {homedir} = require('node:os')
const {dirname, isAbsolute, join} = require('node:path')

const {O_CREAT, O_EXCL, O_RDONLY, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0} = fs.constants
const {env, platform} = process

/** Files of other releases of Node or of the bundle; the least recently written goes first. */
const maxFiles = 8
const maxBytes = 32 * 1024 * 1024
/**
 * V8 drops the code of functions that have not run for a few collections, those of the start among them. A run so many times
 * as long as the start before it has had more of them.
 */
const mostStarts = 40
/** Format, length of the names. V8 copies code that begins elsewhere than at a multiple of eight bytes. */
const headBytes = 8
const format = 0x66644333

/**
 * The folder for caches, by the rules of src/cli/target/folders.ts: what is not an absolute path would lead into the current
 * folder, whose files are not run.
 */
function cacheFolder() {
  const below = platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']
  const {FRONTDESK_CACHE_DIR = '', XDG_CACHE_HOME = '', LOCALAPPDATA = '', HOME = homedir()} = env
  const places = [FRONTDESK_CACHE_DIR, join(XDG_CACHE_HOME, 'frontdesk'), join(HOME, ...below, 'frontdesk')]
  if (platform === 'win32') places.splice(2, 0, join(LOCALAPPDATA, 'frontdesk'))
  const found = places.find((place) => isAbsolute(place) && !/[\0-\u001F\u007F]/.test(place))
  if (found === undefined) throw new Error('there is no folder')
  return found
}

/** @param {fs.Stats} stats */
const isOwn = ({uid}) => process.getuid === undefined || uid === process.getuid()

/** Whether nobody else can change it, or take it for something else. @param {fs.Stats} stats */
const isPrivate = (stats) => isOwn(stats) && (process.getuid === undefined || (stats.mode & 0o077) === 0)

/**
 * Makes the folder if it is missing and lies in one of the user's own: never in another's home, as under sudo. One by one,
 * since the recursive `mkdir` of Node does not end where a file system takes no folders, as /proc.
 * @param {string} folder
 */
function makeFolder(folder) {
  const stats = fs.statSync(folder, {throwIfNoEntry: false})
  if (stats && !isOwn(stats)) throw new Error('another user owns the folder')
  if (stats) return
  if (dirname(folder) === folder) throw new Error('there is no root')
  makeFolder(dirname(folder))
  fs.mkdirSync(folder, 0o700)
}

/** @param {string} folder */
function checkFolder(folder) {
  const stats = fs.lstatSync(folder)
  if (!stats.isDirectory() || !isPrivate(stats)) throw new Error('others can reach the folder')
}

/**
 * The names of the commands that were learned and the code. V8 checks neither length nor content, and damaged code ends the
 * process, so the file holds everything twice: two copies are compared faster than Node loads what computes a checksum.
 * @param {Buffer} bytes
 */
function unpacked(bytes) {
  const copy = bytes.subarray(0, bytes.length / 2)
  if (copy.length < headBytes || copy.readUInt32LE(0) !== format) throw new Error('another format')
  if (!copy.equals(bytes.subarray(copy.length))) throw new Error('damaged')
  const start = headBytes + copy.readUInt32LE(4)
  /** @type {string[]} */
  const commands = JSON.parse(copy.toString('utf8', headBytes, start))
  return {commands, code: copy.subarray(start)}
}

/** @param {readonly string[]} commands @param {Buffer} code */
function packed(commands, code) {
  const names = JSON.stringify(commands)
  const padded = Buffer.from(names.padEnd(Math.ceil(names.length / 8) * 8))
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(format, 0)
  head.writeUInt32LE(padded.length, 4)
  return Buffer.concat([head, padded, code, head, padded, code])
}

/** @param {string} path */
function readOwn(path) {
  checkFolder(dirname(path))
  const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stats = fs.fstatSync(file)
    const isTrusted = stats.isFile() && stats.nlink === 1 && isPrivate(stats) && stats.size <= maxBytes
    if (!isTrusted) throw new Error('others can reach the file')
    const bytes = Buffer.allocUnsafeSlow(stats.size)
    return unpacked(bytes.subarray(0, fs.readSync(file, bytes)))
  } finally {
    fs.closeSync(file)
  }
}

/** Writes beside and renames: whoever starts meanwhile reads the old file or the new one. @param {string} path @param {Buffer} bytes */
function writeOwn(path, bytes) {
  const folder = dirname(path)
  makeFolder(folder)
  checkFolder(folder)
  const part = `${path}.${process.pid}.part`
  fs.rmSync(part, {force: true})
  const file = fs.openSync(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done)
    fs.closeSync(file)
    fs.renameSync(part, path)
  } catch (error) {
    fs.rmSync(part, {force: true})
    throw error
  }
  const others = fs.readdirSync(folder).map((name) => join(folder, name))
  const byAge = others.map((name) => ({name, at: fs.lstatSync(name).mtimeMs})).sort((a, b) => b.at - a.at)
  for (const {name} of byAge.slice(maxFiles)) fs.rmSync(name, {force: true})
}

/** For names of files, where nobody gains by a collision. @param {string} text */
function hashOf(text) {
  let hash = 0
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  return hash.toString(16)
}

/**
 * What is kept for the bundle in `file`, of this content, for this release of Node with these flags. The path is part of
 * the name, since stack traces show the one that the code was compiled with.
 * @param {string} file Beside it lies the digest that its build wrote.
 */
function openCache(file) {
  /** @type {{commands: string[], code: Buffer | undefined}} */
  let kept = {commands: [], code: undefined}
  let path = ''
  const startSeconds = process.uptime()
  // Code that counts what runs is not for others, and theirs does not count.
  const isUsed = env.NODE_V8_COVERAGE === undefined && env.FRONTDESK_PLAIN_START !== '1'
  try {
    const digest = fs.readFileSync(`${file}.digest`, 'latin1')
    const {size, mtimeMs} = fs.statSync(file)
    const place = hashOf(`${file}\0${size}\0${mtimeMs}`)
    // V8 itself refuses the code of another release or of other flags.
    const release = hashOf([process.version, process.arch, env.NODE_OPTIONS, ...process.execArgv].join('\0'))
    path = join(cacheFolder(), 'compiled', `${digest.slice(0, 32)}-${release}-${place}.code`)
    if (isUsed) kept = readOwn(path)
  } catch {
    // None, or none to trust: the start compiles.
  }
  return {
    ...kept,
    /** Keeps the code again when a command has run whose functions it lacks. @param {string} command @param {() => Buffer} make */
    learn(command, make) {
      if (!isUsed || path === '' || kept.commands.includes(command) || process.uptime() > mostStarts * startSeconds)
        return
      try {
        const code = make()
        const isWhole = code.length >= (kept.code?.length ?? 0)
        writeOwn(path, packed(isWhole ? [...kept.commands, command] : [command], code))
      } catch {
        // The next start tries again.
      }
    },
    forget() {
      kept = {commands: [], code: undefined}
    },
  }
}

module.exports = {openCache}
