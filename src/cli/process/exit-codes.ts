/** How a command can end. One table feeds the behaviour, the help topic and the README. */
export const exitCodes = {
  done: {code: 0, when: 'done'},
  bug: {code: 1, when: 'a bug in frontdesk'},
  usage: {
    code: 2,
    when: 'usage: unknown command or flag, unreadable file, a file that does not validate',
  },
  notFound: {code: 3, when: 'not found'},
  denied: {code: 4, when: 'authentication, permission, expired or inactive token'},
  conflict: {code: 5, when: 'conflict: version, lock, duplicate, REF ambiguous'},
  invalid: {
    code: 6,
    when: 'a bad predicate, key or field value, refused by the API or noticed before sending',
  },
  unavailable: {code: 7, when: 'unavailable: network, timeout, 5xx, 429 after all retries'},
  unknownOutcome: {
    code: 8,
    when: 'unknown outcome: a write was sent, no answer tells what became of it, and no reading could',
  },
  checkFailed: {code: 9, when: 'a check or assertion is false'},
  partial: {code: 10, when: 'a bulk run finished and some rows failed'},
  waitEnded: {code: 11, when: 'a wait ran out of time'},
  needsAnswer: {code: 12, when: 'an answer was needed and prompting is off'},
  localState: {code: 13, when: 'local state: locked, corrupt, port in use, server not running'},
  hungUp: {code: 129, when: 'ended by SIGHUP, as by a terminal that is closed; everything acknowledged is safe'},
  interrupted: {code: 130, when: 'interrupted by SIGINT (Ctrl-C); everything acknowledged is safe'},
  terminated: {code: 143, when: 'ended by SIGTERM; everything acknowledged is safe'},
} as const satisfies Record<string, {readonly code: number; readonly when: string}>

export type Ending = keyof typeof exitCodes

/** The ending that has a code. */
export function endingOf(code: number): Ending {
  const found = Object.entries(exitCodes).find(([, ending]) => ending.code === code)
  return (found?.[0] ?? 'bug') as Ending
}
