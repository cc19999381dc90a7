'use strict'
// The thread of a merge, or of search texts, from its sources.
require('../../../typescript.cjs')
const {answerJob} = require('../../../../src/store/lowdb/merge/thread.ts')
const {facets, searchTexts} = require('../../contract.ts')

answerJob(facets, searchTexts)
