'use strict'
// The thread of a merge that ends in its middle, as one does that runs out of memory.
process.exit(7)
