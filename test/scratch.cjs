'use strict'
const {spawnSync} = require('node:child_process')
const {chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync} = require('node:fs')
const {freemem} = require('node:os')
const {join} = require('node:path')

/** Memory that looks like a disk. The store waits for its disk at every commit; no test can tell, as none cuts the power. */
const memory = '/dev/shm'
/** Several times what the tests have lain there at once. */
const leastBytes = 4 * 1024 ** 3
const name = /^frontdesk-tests-(\d+)$/

/** @param {string} pid */
const isRunning = (pid) => existsSync(join('/proc', pid))

/** Removes what a run has left that was killed. */
function removeLeft() {
  for (const entry of readdirSync(memory)) {
    const [, pid] = name.exec(entry) ?? []
    if (pid && !isRunning(pid)) rmSync(join(memory, entry), {recursive: true, force: true})
  }
}

/** Whether a program can be started from the folder; containers mount it without. @param {string} folder */
function runsPrograms(folder) {
  const script = join(folder, 'script')
  writeFileSync(script, '#!/bin/sh\n', {mode: 0o700})
  const {status} = spawnSync(script)
  rmSync(script)
  return status === 0
}

/**
 * Has the temporary folders of this process, and of those that it starts, in memory where there is plenty: an fsync takes
 * milliseconds on a disk, and microseconds there. Where there is not, they stay where they are.
 */
function keepInMemory() {
  if (process.env.TMPDIR || process.platform !== 'linux' || !existsSync(memory)) return
  try {
    removeLeft()
    const {bavail, bsize} = statfsSync(memory)
    if (Math.min(bavail * bsize, freemem()) < leastBytes) return
    const folder = join(memory, `frontdesk-tests-${process.pid}`)
    mkdirSync(folder)
    process.once('exit', () => rmSync(folder, {recursive: true, force: true}))
    // Everybody's, as /tmp: some tests become another user.
    chmodSync(folder, 0o1777)
    if (runsPrograms(folder)) process.env.TMPDIR = folder
  } catch {
    // The usual folder does as well.
  }
}

module.exports = {keepInMemory}
