'use strict'
// The spec reporter, and one closing line that a script can read without knowing mocha.
const {reporters} = require('mocha')

module.exports = class ClosingLine extends reporters.Spec {
  epilogue() {
    super.epilogue()
    const {passes = 0, failures = 0, pending = 0} = this.stats
    const skipped = pending > 0 ? `, ${pending} skipped` : ''
    console.log(`${passes} passed, ${failures} failed${skipped}`)
  }
}
