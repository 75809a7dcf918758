import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** A file that lines are added to. */
export interface LineFile {
  /** Adds a line, with its end, whole. Rejects when it cannot be written. Not to be called again before it has ended. */
  append(line: string): Promise<void>
  close(): Promise<void>
}

const OWNER_ONLY = 0o600
/** Rejects a pipe without a reader at once instead of waiting for one. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK

/** What was there before may be readable by others. */
const claim = async (handle: FileHandle): Promise<void> => {
  const stats = await handle.stat()
  if (!stats.isFile()) throw new TypeError('no regular file')
  if ((stats.mode & 0o777) !== OWNER_ONLY) await handle.chmod(OWNER_ONLY)
}

/** Where bytes go; it may take fewer than it is given, as on a disk that has become full. */
export type Sink = (bytes: Buffer) => Promise<{ readonly bytesWritten: number }>

/** Writes complete lines. After an incomplete one, the next starts on a new line. */
export const lineWriter = (sink: Sink): LineFile['append'] => {
  let isTorn = false
  return async (line) => {
    const bytes = Buffer.from(isTorn && line !== '' ? `\n${line}` : line)
    let written = 0
    try {
      while (written < bytes.length) written += (await sink(bytes.subarray(written))).bytesWritten
      isTorn &&= line === ''
    } catch (cause) {
      isTorn ||= written > 0
      throw cause
    }
  }
}

/** Opens a regular file, which is made when missing, for its owner alone. Rejects when there cannot be such a file. */
export const openLineFile = async (file: string): Promise<LineFile> => {
  const handle = await open(file, FLAGS, OWNER_ONLY)
  try {
    await claim(handle)
  } catch (cause) {
    await handle.close()
    throw cause
  }
  return { append: lineWriter((bytes) => handle.write(bytes)), close: () => handle.close() }
}
