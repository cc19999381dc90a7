import {type MutationGroup, of} from './mutation.js'

/** What keeps the window of a local server to the person who runs it. */

const door = of('src/server/window/window.ts')
const link = of('src/server/window-paths.ts')
const entry = of('src/server/local/window-entries.ts')
const streams = of('src/server/window/window.ts')

export const windows: MutationGroup = {
  tests: ['security/network/s-window'],
  mutations: [
    entry('window: a code lets in again', '    this.#codes.delete(this.#secrets.digest(code))\n'),
    entry('window: codes and sessions have no end', ' && end > this.#now()'),
    entry('window: a code is a token', 'this.#isOpen(this.#sessions, token)', 'this.#isOpen(this.#codes, token)'),
    door('window: anybody is inside', 'entries.isInside(given)', 'true'),
    link('window: links elsewhere lead to every part', " && url.split('?')[0] === windowPath"),
    door('window: pages of other origins are answered', 'if (!isOwn || (', 'if ((false && isOwn) || ('),
    door('window: pages of other ports are answered', "site !== 'same-origin' && site !== 'none'", 'false'),
    door('window: other names are answered', ' || !isLoopback(name)'),
    door('window: every operation is open', 'if (!permitted.has(operation))', 'if (false as boolean)'),
    streams(
      'window: streams without end',
      'if (this.#open.size >= limits.windowStreams) {',
      'if (this.#open.size < 0) {',
    ),
  ],
}
