import {liveness, parsedIdentity} from '../../files/process-identity.js'
import type {JobProgress} from './journal.js'

interface JobStateRow {
  /** What `--resume` does, and an undo that is repeated. */
  readonly resume: 'refuses' | 'goes on' | 'says so' | 'begins anew'
  /** What the same import does without `--resume`, and one of the corrected file. */
  readonly retry: 'refuses' | 'closes it' | 'begins anew'
  readonly undo: 'refuses' | 'takes it back' | 'has nothing to do'
  /** How to go on after an undo with rows that may have been sent, and that no before-image decides. */
  readonly open: 'wait' | 'resume' | 'look'
  /** What pages say, and how. */
  readonly list: string
  readonly tone: 'new' | 'bad' | 'good' | 'warn'
  /** What goes of its files: nothing, before-images that an undo has used up, or they too after their days. */
  readonly forget: 'nothing' | 'by age' | 'used images'
}

/** The states of a job. Closed: another job of the same files took its place before it was finished. */
export const jobStates = {
  running: {
    ...{resume: 'refuses', retry: 'refuses', undo: 'refuses', forget: 'nothing'},
    ...{open: 'wait', list: 'Still running', tone: 'new'},
  },
  unfinished: {
    ...{resume: 'goes on', retry: 'closes it', undo: 'takes it back', forget: 'by age'},
    ...{open: 'resume', list: 'Not finished', tone: 'bad'},
  },
  closed: {
    ...{resume: 'begins anew', retry: 'begins anew', undo: 'takes it back', forget: 'used images'},
    ...{open: 'look', list: 'Closed: a corrected import took its place', tone: 'warn'},
  },
  finished: {
    ...{resume: 'says so', retry: 'begins anew', undo: 'takes it back', forget: 'used images'},
    ...{open: 'look', list: 'Finished', tone: 'good'},
  },
  undone: {
    ...{resume: 'begins anew', retry: 'begins anew', undo: 'has nothing to do', forget: 'used images'},
    ...{open: 'look', list: 'Taken back', tone: 'warn'},
  },
} as const satisfies Record<string, JobStateRow>

export type JobState = keyof typeof jobStates

/** Whether work on a job has begun and not ended: a repeat goes on with it. */
export const isOpen = (state: JobState): boolean => ['goes on', 'refuses'].includes(jobStates[state].resume)

/** Unknown counts as ended, or a container that was killed would block its job for good. */
export function stateOf({ending, lastRun}: JobProgress): JobState {
  const run = parsedIdentity(lastRun)
  return ending ?? (run && liveness(run) === 'alive' ? 'running' : 'unfinished')
}
