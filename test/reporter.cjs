'use strict'
// The spec reporter, a count of the numbered checks, and one closing line that a script can read without knowing mocha.
const {readdirSync} = require('node:fs')
const {join, resolve} = require('node:path')
const {reporters} = require('mocha')
const {Checks} = require('./security/checks.cjs')

/** Whether a run has all test files before it, so that a number that nobody carries is missing. */
function isWhole({files = [], grep}) {
  const given = new Set(files.map((file) => resolve(file)))
  const all = readdirSync(__dirname, {recursive: true}).filter((file) => file.endsWith('.test.ts'))
  return !grep && all.every((file) => given.has(join(__dirname, file)))
}

module.exports = class ClosingLine extends reporters.Spec {
  #checks = new Checks()
  #missing = 0
  #skipped = new Set()
  #isWhole

  constructor(runner, options) {
    super(runner, options)
    this.#isWhole = isWhole(options)
    runner.on('pass', ({title}) => this.#checks.note(title, true))
    runner.on('fail', ({title}) => this.#checks.note(title, false))
    runner.on('pending', (test) => this.#skipped.add(test.titlePath().join(' › ')))
  }

  epilogue() {
    super.epilogue()
    if (!this.#checks.isEmpty) this.#countChecks()
    for (const title of this.#skipped) console.log(`skipped: ${title}`)
    const {passes = 0, failures = 0, pending = 0} = this.stats
    const skipped = pending > 0 ? `, ${pending} skipped` : ''
    console.log(`${passes} passed, ${failures + this.#missing} failed${skipped}`)
  }

  #countChecks() {
    const {text, missing, unknown} = this.#checks.summary()
    console.log(text)
    if (!this.#isWhole) return
    this.#missing = missing.length + unknown.length
    if (missing.length > 0) console.log(`no test answers for ${missing.join(', ')}`)
    if (unknown.length > 0) console.log(`tests carry numbers that are no check: ${unknown.join(', ')}`)
  }

  /** A check that no test answers for fails a whole run. */
  done(failures, end) {
    end(failures + this.#missing)
  }
}
