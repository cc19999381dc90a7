import {createRequire, syncBuiltinESMExports} from 'node:module'
import {appendFileSync} from 'node:fs'

/** Loaded before the command: writes down its own arguments and those of every process that it starts. */
const file = process.env.CANARY_ARGV
if (file !== undefined) {
  const note = (words) => appendFileSync(file, `${JSON.stringify(words)}\n`)
  note([process.title, ...process.argv])
  const modules = createRequire(import.meta.url)('node:child_process')
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork']) {
    const own = modules[name]
    modules[name] = (...given) => {
      note([name, ...given.filter((one) => typeof one === 'string' || Array.isArray(one)).flat()])
      return own(...given)
    }
  }
  syncBuiltinESMExports()
}
