import {join} from 'node:path'
import {type Files, writeNew} from './files.js'

const ballastName = 'BALLAST'
const ballastBytes = 1 << 20

/** Keeps a megabyte that can be given up when the disk is full, so that there is room to put things in order. */
export async function takeBallast(files: Files, directory: string): Promise<void> {
  const path = join(directory, ballastName)
  try {
    if (!(await files.stat(path))) await writeNew(files, path, Buffer.alloc(ballastBytes))
  } catch {
    // A disk that is that full already has none to spare.
    await files.unlink(path)
  }
}

export async function dropBallast(files: Files, directory: string): Promise<void> {
  await files.unlink(join(directory, ballastName))
}
