/** How a command can end. One table feeds the behaviour, the help topic and the README. */
export const exitCodes = {
  done: {code: 0, when: 'done'},
  bug: {code: 1, when: 'a bug in frontdesk'},
  usage: {code: 2, when: 'usage: unknown command or flag, unreadable file, a file that does not validate'},
  notFound: {code: 3, when: 'not found'},
  denied: {code: 4, when: 'authentication, permission, expired or inactive token'},
  conflict: {code: 5, when: 'conflict: version, lock, duplicate, REF ambiguous'},
  invalid: {code: 6, when: 'a predicate, key or field value that the API does not accept'},
  unavailable: {code: 7, when: 'unavailable: network, timeout, 5xx, 429 after all retries'},
  unknownOutcome: {code: 8, when: 'unknown outcome: a write was sent, and it is unknown whether it took effect'},
  checkFailed: {code: 9, when: 'a check or assertion failed'},
  partial: {code: 10, when: 'a bulk run finished and some rows failed'},
  waitEnded: {code: 11, when: 'a wait timed out'},
  needsAnswer: {code: 12, when: 'an answer was needed and prompting is off'},
  localState: {code: 13, when: 'local state: locked, corrupt, port in use, server not running'},
  hungUp: {code: 129, when: 'ended by SIGHUP (the terminal was closed); everything acknowledged is saved'},
  interrupted: {code: 130, when: 'interrupted by SIGINT (Ctrl-C); everything acknowledged is saved'},
  pipeClosed: {code: 141, when: 'the reader of stdout went away before all was printed'},
  terminated: {code: 143, when: 'ended by SIGTERM; everything acknowledged is saved'},
} as const satisfies Record<string, {readonly code: number; readonly when: string}>

export type Ending = keyof typeof exitCodes

export function endingOf(code: number): Ending {
  const found = Object.entries(exitCodes).find(([, ending]) => ending.code === code)
  return (found?.[0] ?? 'bug') as Ending
}
