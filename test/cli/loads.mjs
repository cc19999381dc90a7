// Writes the address of every module that is loaded to the file that LOADS names.
import {appendFileSync} from 'node:fs'
import {register} from 'node:module'

if (process.env.LOADS) register(import.meta.url)

export async function load(url, context, next) {
  appendFileSync(process.env.LOADS, `${url}\n`)
  return next(url, context)
}
