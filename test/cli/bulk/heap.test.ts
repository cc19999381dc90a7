import {execFileSync} from 'node:child_process'
import {getPriority} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {root} from '../run.js'

/** In a process of its own: flags are of the whole process, and V8 knows what it has compiled before. */
const program = `
  const {Script} = require('node:vm')
  const {setHeap} = require('./src/cli/bulk/heap.ts')
  const source = '(function () { return 1 })'
  const cachedData = new Script(source).createCachedData()
  const isRefused = (text) => new Script(text, {cachedData}).cachedDataRejected
  // Each of the same length, which is all that V8 compares of the text, and not known to it.
  setHeap(process.argv[1])
  const [meanwhile] = [isRefused('(function () { return 2 })')]
  setHeap('usual')
  console.log(JSON.stringify([meanwhile, isRefused('(function () { return 3 })')]))`

const priorities = `
  const {readdirSync} = require('node:fs')
  const {getPriority} = require('node:os')
  const {setHeap} = require('./src/cli/bulk/heap.ts')
  setHeap(process.argv[1])
  const of = (isMain) =>
    readdirSync('/proc/self/task').map(Number).filter((one) => (one === process.pid) === isMain).map((one) => getPriority(one))
  console.log(JSON.stringify([of(true), [...new Set(of(false))]]))`

const answerOf = (text: string, length: string): unknown => {
  const words = ['--require', join(root, 'test', 'typescript.cjs'), '-e', text, length]
  return JSON.parse(execFileSync(process.execPath, words, {cwd: root, encoding: 'utf8', timeout: 30_000}))
}

describe('cli · flags of V8 for a run over many rows', () => {
  for (const length of ['long', 'short']) {
    it(`are taken back after a ${length} one, so that the code that is kept then is valid`, () => {
      expect(answerOf(program, length)).to.deep.equal([true, false])
    })
  }

  if (process.platform === 'linux') {
    const own = getPriority()

    it('put the threads that V8 compiles and collects in behind the one of a short run, and of no other', () => {
      expect(answerOf(priorities, 'short')).to.deep.equal([[own], [Math.min(own + 10, 19)]])
      expect(answerOf(priorities, 'long')).to.deep.equal([[own], [own]])
    })
  }
})
