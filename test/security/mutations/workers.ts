import {type MutationGroup, of} from './mutation.js'

/** What the workers of one server share, and who keeps them alive. */

const members = of('src/server/workers/members.ts')
const supervisor = of('src/server/workers/supervisor.ts')

export const workers: MutationGroup = {
  folders: [],
  tests: ['server/workers/members', 'server/workers/supervisor'],
  mutations: [
    members('workers: each has guesses of its own', 'if (other !== channel)', 'if (other === channel)'),
    members('workers: a new one goes by another clock', "    channel.tell('clock', this.#clock.setting)\n"),
    members('workers: requests are shown before all have ended', '{filter, until}', '{filter, until: 1e15}'),
    supervisor(
      'workers: one that cannot live is started without pause',
      'Math.min(firstDelayMs * 2 ** (seat.early - 1), maxDelayMs)',
      '0',
    ),
    supervisor('workers: a server without any goes on', ' && this.pids.length === 0', ' && this.pids.length > 1'),
    supervisor(
      'workers: one that hangs keeps the server from ending',
      'of this.#seats) process?.kill()',
      'of this.#seats) process?.drain()',
    ),
  ],
}
