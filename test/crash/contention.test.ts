import {spawn} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {openStore} from '../../src/store/open.js'
import {newDirectory, removeDirectories} from '../store/directory.js'
import {bundledScript} from './bundled-script.js'

const counter = bundledScript(fileURLToPath(new URL('./counter.ts', import.meta.url)))

/** The numbers that one process acknowledged. */
async function counted(dir: string, times: number, dies: boolean): Promise<number[]> {
  const child = spawn(process.execPath, [counter, dir, String(times), ...(dies ? ['dies'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return text.split('\n').slice(0, -1).map(Number)
}

describe('store · many processes on one state', () => {
  after(removeDirectories)

  it('take turns, take over from those that died, and lose no change', async () => {
    const dir = newDirectory()
    const processes = Array.from({length: 6}, (_, index) => counted(dir, 8, index % 3 === 2))
    const numbers = (await Promise.all(processes)).flat().sort((a, b) => a - b)
    expect(numbers).to.deep.equal(Array.from({length: 4 * 8 + 2}, (_, index) => index + 1))
    const store = await openStore({dir, facets: {}, writer: 'reader'})
    expect((await store.get('shop', 'counters', 'c'))?.version).to.equal(numbers.length)
    await store.close()
  })
})
