import {existsSync} from 'node:fs'
import {createRequire, syncBuiltinESMExports} from 'node:module'

/** Loaded before the command: once the file that FAILING_SYNC names is there, no sync of data succeeds any more. */
const fs = createRequire(import.meta.url)('node:fs')
const {fdatasync} = fs
fs.fdatasync = (fd, done) => {
  if (!existsSync(process.env.FAILING_SYNC ?? '')) return fdatasync(fd, done)
  process.nextTick(done, Object.assign(new Error('EIO: i/o error, fdatasync'), {code: 'EIO', syscall: 'fdatasync'}))
}
syncBuiltinESMExports()
