'use strict'
// The thread of a merge from its sources.
require('../../../typescript.cjs')
require('../../../../src/store/lowdb/merge/merge-thread.mts')
