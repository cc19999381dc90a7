import {chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'

/**
 * Copies a folder with the modes of everything in it; `cpSync` of Node 22 and 24 makes folders that others may enter. Leaves
 * out sockets: in a container there is one beside the lock, which cannot be copied.
 */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, {recursive: true})
  chmodSync(to, lstatSync(from).mode & 0o777)
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    const kind = lstatSync(source)
    if (kind.isDirectory()) copyFolder(source, target)
    else if (!kind.isSocket()) copyFileSync(source, target)
  }
}
