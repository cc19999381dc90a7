import {connect, createServer, type Server, type Socket} from 'node:net'
import {join} from 'node:path'

/** What becomes of bytes on their way: `cut` ends the connection instead of passing them on. */
type Verdict = 'pass' | 'cut'

export interface Line {
  readonly port: number
  /** The directory or port that connections lead to from now on. */
  place: string | number
  /** The URL of a database over this line. */
  url(database: string): string
  /** Decides about what the client sends, and what the server answers; both pass unless told. */
  fromClient: (bytes: string) => Verdict
  fromServer: (bytes: string) => Verdict
  stop(): Promise<void>
}

/** A line to a cluster, in a directory or at a port of this machine, that a test can cut at any message. */
export async function cutLine(place: string | number): Promise<Line> {
  const sockets = new Set<Socket>()
  const pass = (): Verdict => 'pass'
  const server: Server = createServer((client) => {
    const {place: to} = line
    const upstream = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(join(to, '.s.PGSQL.5432'))
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const [from, to, verdict] of [
      [client, upstream, (bytes: string) => line.fromClient(bytes)],
      [upstream, client, (bytes: string) => line.fromServer(bytes)],
    ] as const) {
      sockets.add(from)
      from.on('error', end).on('close', end)
      from.on('data', (chunk: Buffer) => {
        if (verdict(chunk.toString('latin1')) === 'cut') end()
        else if (!to.destroyed) to.write(chunk)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as {port: number}
  const line: Line = {
    port,
    place,
    url: (database) => `postgres://frontdesk@127.0.0.1:${port}/${database}`,
    fromClient: pass,
    fromServer: pass,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return line
}
