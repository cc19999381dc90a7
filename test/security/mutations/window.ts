import {type MutationGroup, of} from './mutation.js'

/** What keeps the window of a local server to the person who runs it. */

const door = of('src/server/window/window.ts')
const entry = of('src/server/window/entry.ts')
const streams = of('src/server/window/streams.ts')

export const windows: MutationGroup = {
  tests: ['security/network/s-window'],
  mutations: [
    entry('window: a code lets in again', '    this.#ends.delete(digest)\n    return end', '    return end'),
    entry('window: a code has no end', ' && end > this.#now()'),
    door('window: anybody is inside', '!this.#isSame(cookieOf(request), cookie)', 'false'),
    door('window: a forged request is taken', '!this.#isSame(headerOf(request)(tokenHeader), token)', 'false'),
    door('window: pages of other origins are answered', 'if (!isOwn || (', 'if ((false && isOwn) || ('),
    door('window: pages of other ports are answered', "site !== 'same-origin' && site !== 'none'", 'false'),
    door('window: other names are answered', ' || !isLoopback(name)'),
    door('window: every operation is open', 'if (!permitted.has(operation))', 'if (false as boolean)'),
    door('window: scripts read the cookie', '; HttpOnly'),
    streams('window: streams without end', 'if (this.#open.size < limits.windowStreams) return', 'return'),
  ],
}
