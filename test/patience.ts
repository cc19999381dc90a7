/**
 * How long a test waits for an answer, a text or another process before it fails. It only bounds what hangs: a busy machine
 * is slow, and no test fails for that. Mocha's own limit, in .mocharc.cjs, is longer, since one test may wait several times.
 */
export const patienceMs = 180_000

/** How long a process may live that a test starts; a server, as long as its test. */
export const processLimitMs = 600_000
