'use strict'
// The thread of a merge from its sources.
require('../../../typescript.cjs')
const {answerMerge} = require('../../../../src/store/lowdb/merge/merge-thread.mts')
const {facets} = require('../../contract.ts')

answerMerge(facets)
