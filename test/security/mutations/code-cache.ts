import {type MutationGroup, of} from './mutation.js'

/** Compiled code is run unseen: what else could have written it. */

const cache = of('bin/code-cache.js')

export const codeCache: MutationGroup = {
  folders: [],
  tests: ['cli/command/code-cache'],
  mutations: [
    cache('code of another user is run', '=> process.getuid === undefined || uid === process.getuid()', '=> uid >= 0'),
    cache('code that others can change is run', '(stats.mode & 0o077) === 0)', 'stats.mode > 0)'),
    cache('a folder that is a link is used', 'fs.lstatSync(folder)', 'fs.statSync(folder)'),
    cache('code behind a link is run', 'O_RDONLY | O_NOFOLLOW | O_NONBLOCK', 'O_RDONLY | O_NONBLOCK'),
    cache('code with a second name is run', 'stats.nlink === 1 && ', ''),
    cache('damaged code is run', "throw new Error('damaged')", 'String(bytes)'),
    cache('folders are made in a foreign home', "throw new Error('another user owns the folder')", 'return'),
    cache('code of another place is run', '`${file}\\0${size}\\0${mtimeMs}`', '`${size}\\0${mtimeMs}`'),
  ],
}
