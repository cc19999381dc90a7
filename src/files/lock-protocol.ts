import {basename, dirname, join} from 'node:path'

/**
 * The protocol of locks between processes: a lock is a file that names its holder.
 *
 * A free lock is acquired by linking a complete file to its name, which succeeds for one process. The lock of a dead
 * holder is never removed first, since a slower process would then remove the lock of a faster one. Instead, the right to
 * replace it is another link, named after the dead holder; its owner checks the lock again before replacing it. If that
 * owner dies meanwhile, its link is replaced in the same way.
 *
 * The steps are generators, which yield what their files return: one lock is taken at once, another one waits for its files.
 */
type Steps<T> = Generator<unknown, T, unknown>

type Awaitable<T> = T | Promise<T>

/** The lock files as the protocol needs them, each call atomic. */
export interface LockFiles<H> {
  /** Creates a complete lock file of this process under a name of its own. */
  create(path: string): Awaitable<unknown>
  /** The holder that a file names; undefined if there is no file. */
  read(path: string): Awaitable<H | undefined>
  /** Links a file to a second name; false if the name exists. */
  link(from: string, to: string): Awaitable<boolean>
  rename(from: string, to: string): Awaitable<void>
  /** Removes a file; a missing one is no error. */
  remove(path: string): Awaitable<void>
  list(folder: string): Awaitable<readonly string[]>
  isDead(holder: H): Awaitable<boolean>
  /** Whether a file beside the lock was left by a process that died on its way. */
  isLeft(path: string): Awaitable<boolean>
}

/** `other` is the present holder; absent if it has ended meanwhile. */
export type LockOutcome<H> = 'acquired' | {readonly other: H | undefined}

function* got<T>(value: Awaitable<T>): Steps<T> {
  return (yield value) as T
}

/** Tries once to acquire the lock at a path for the process with this nonce. */
export function* acquiring<H extends {readonly nonce: string}>(
  files: LockFiles<H>,
  path: string,
  nonce: string,
): Steps<LockOutcome<H>> {
  const first = yield* got(files.read(path))
  if (first && !(yield* got(files.isDead(first)))) return {other: first}
  const mine = `${path}-${nonce}`
  yield* got(files.create(mine))
  let outcome: LockOutcome<H> = {other: undefined}
  try {
    if (first) outcome = yield* replacing(files, path, mine, first)
    else if (yield* got(files.link(mine, path))) outcome = 'acquired'
    else outcome = {other: yield* got(files.read(path))}
  } finally {
    yield* got(files.remove(mine))
  }
  if (outcome === 'acquired') yield* removingRemains(files, path)
  return outcome
}

/** Replaces the lock of a dead holder. */
function* replacing<H extends {readonly nonce: string}>(
  files: LockFiles<H>,
  path: string,
  mine: string,
  dead: H,
): Steps<LockOutcome<H>> {
  const passed = [{at: path, nonce: dead.nonce}]
  let right = `${path}.${dead.nonce}`
  while (!(yield* got(files.link(mine, right)))) {
    const other = yield* got(files.read(right))
    if (!other || !(yield* got(files.isDead(other)))) return {other: other ?? dead}
    passed.push({at: right, nonce: other.nonce})
    right = `${path}.${other.nonce}`
  }
  // Holding the right keeps others from replacing the lock, but one may have done so before; hence the second look.
  for (const {at, nonce} of passed) {
    const now = yield* got(files.read(at))
    if (now?.nonce === nonce) continue
    yield* got(files.remove(right))
    return {other: now ?? dead}
  }
  yield* got(files.rename(mine, path))
  for (const {at} of passed.slice(1)) yield* got(files.remove(at))
  yield* got(files.remove(right))
  return 'acquired'
}

/** Removes what processes left that died while acquiring. Those alive look again before they act, so theirs may stay. */
function* removingRemains<H>(files: LockFiles<H>, path: string): Steps<void> {
  const name = basename(path)
  for (const entry of yield* got(files.list(dirname(path)))) {
    if (!entry.startsWith(`${name}.`) && !entry.startsWith(`${name}-`)) continue
    const left = join(dirname(path), entry)
    if (yield* got(files.isLeft(left))) yield* got(files.remove(left))
  }
}

/** Runs steps whose files never wait. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next(step.value)
  return step.value
}

/** Runs steps, waiting for their files. */
export async function runSteps<T>(steps: Steps<T>): Promise<T> {
  for (let step = steps.next(); ; ) {
    if (step.done) return step.value
    try {
      step = steps.next(await step.value)
    } catch (error) {
      step = steps.throw(error)
    }
  }
}
