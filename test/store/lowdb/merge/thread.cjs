'use strict'
// The threads of a server, from their sources.
require('../../../typescript.cjs')
const {answerJob} = require('../../../../src/store/lowdb/merge/thread.ts')
answerJob(require('../../contract.ts'))
