import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {startServer} from '../../src/index.js'
import {benchDraft, talk} from './seeding.js'

/** Requests per second against a server on a file, beside its own constant answer (`/health`). */
export async function bench(words: readonly string[]): Promise<void> {
  const customers = Number(words[0] ?? 20_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const server = await startServer({dataDir, projectKey: 'bench', settings: {passwordCost: 4}})
  const {send, load, close} = await talk(server)
  const reads = 20_000
  try {
    const rate = (count: number, ms: number): number => (count / ms) * 1000
    const created = rate(customers, await load(customers, (at) => send('POST', '/bench/customers', benchDraft(at))))
    const health = rate(reads, await load(reads, () => send('GET', '/health')))
    const at = (index: number): number => (index * 7919) % customers
    const where = (index: number): string => encodeURIComponent(`email = "bench-${at(index)}@example.com"`)
    const rows: [string, number][] = [
      ['constant answer (/health)', health],
      ['GET by key', rate(reads, await load(reads, (index) => send('GET', `/bench/customers/key=bench-${at(index)}`)))],
      [
        'GET where email = …',
        rate(reads, await load(reads, (index) => send('GET', `/bench/customers?where=${where(index)}`))),
      ],
      [`POST, durable, up to ${customers.toLocaleString('en')}`, created],
    ]
    for (const [name, perSecond] of rows) {
      console.log(
        `${name.padEnd(32)} ${perSecond.toFixed(0).padStart(7)} /s  ${(perSecond / health).toFixed(2)}× of the constant answer`,
      )
    }
  } finally {
    await close()
    await server.stop()
    rmSync(dataDir, {recursive: true, force: true})
  }
}
