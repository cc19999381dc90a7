import {switchFlag} from '../../src/cli/input/flags.js'
import {durationText} from '../../src/cli/output/times.js'
import {WholeServerCommand} from '../../src/cli/server/server-command.js'
import {countsText} from '../../src/cli/server/views.js'
import {type AdminReply, administer} from '../../src/client/local/admin.js'
import {localServer, otherHolder} from '../../src/client/local/local-server.js'
import {defined} from '../../src/domain/equal.js'

export default class ServerStatus extends WholeServerCommand<typeof ServerStatus> {
  static override summary = 'Show whether the local server runs, and its address'
  static override description = 'Ends with code 13 if no server runs on this machine.'
  static override examples = ['<%= config.bin %> server status --json']
  static override flags = {
    details: switchFlag('Also ask the server for its uptime, its projects and deprecated uses.'),
  }

  async run(): Promise<void> {
    const {dataDir} = this.local
    const server = await localServer(dataDir)
    if (!server) {
      const holder = await otherHolder(dataDir)
      const answer = {running: false, ...defined({inUseBy: holder}), dataDir}
      const release = this.commandLine(['server', 'doctor', '--force'])
      const text = holder ? `${dataDir} is in use by ${inWords(holder, release)}` : `not running on ${dataDir}`
      await this.output.answer(answer, text)
      this.endWith('localState')
      return
    }
    const {pid, origin, publicOrigin = origin} = server
    const details = this.flags.details ? await administer(dataDir, 'serverStatus', {origin}) : undefined
    const answer = {running: true, pid, apiUrl: publicOrigin, authUrl: publicOrigin, dataDir, ...details}
    const lines = [
      `running at ${publicOrigin} (process ${pid}) on ${dataDir}`,
      ...(details ? detailLines(details) : []),
    ]
    await this.output.answer(answer, lines.join('\n'))
  }
}

const detailLines = ({uptimeSeconds, projects, deprecatedUses, upkeep}: AdminReply<'serverStatus'>): string[] => [
  `up for ${durationText(uptimeSeconds * 1000)}`,
  ...projects.map(({key, stored}) => `${key}  ${countsText(stored.map(({kind, count}) => [kind, count])) || 'empty'}`),
  ...Object.entries(deprecatedUses).map(([use, count]) => `deprecated: ${use}, ${count} times`),
  ...(Number(Reflect.get(upkeep, 'compactionsFailed') ?? 0) > 0
    ? ['compactions failed: see the log of the server']
    : []),
]

/** The holder of a folder, as the end of a sentence: `is in use by …`. */
function inWords(holder: NonNullable<Awaited<ReturnType<typeof otherHolder>>>, release: string): string {
  const {pid, purpose, host, liveness} = holder
  const what = purpose === 'server' ? 'a server' : 'a command'
  if (liveness === 'alive') return `${what} (process ${pid})`
  const where = `${what} in another container or on another machine (process ${pid} on ${host})`
  return `${pid === 0 ? 'a process whose lock cannot be read' : where}; if it has ended: ${release}`
}
