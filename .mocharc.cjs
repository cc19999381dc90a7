'use strict'
const {availableParallelism} = require('node:os')

module.exports = {
  import: 'tsx/esm',
  spec: ['test/**/*.test.ts'],
  reporter: './test/reporter.cjs',
  // Only ends what hangs: no test may depend on the speed of the machine.
  timeout: 900_000,
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
  'forbid-only': true,
}
