import { DELIVERED, type PushResult, retry } from '@almoner/domain/notifications'
import type { PushGateway } from '@almoner/domain/ports'
import type { Task } from 'fp-ts/lib/Task.js'
import { jsonBytes } from './json-bytes.ts'
import { type LineFile, openLineFile } from './line-file.ts'
import { pushLine } from './push-line.ts'

/** How to open a {@link FileGateway}. */
export interface FileOptions {
  /** Its path. The file is made when missing, the folder it is in is not. */
  readonly file: string
}

/** Writes pushes down instead of sending them. */
export interface FileGateway extends PushGateway {
  /** Delivered when the file can be written to; it is made then. Never rejects. */
  readonly check: Task<PushResult>
  /** Waits until sent pushes are written, and closes the file. Later pushes resolve to Retry. */
  close(): Promise<void>
}

/**
 * A gateway for tests and rehearsals: a push is delivered once its line is in the file, which only its owner may read, since devices'
 * tokens are in it. What cannot be written may be so later, as with a provider. Several processes may write to one file. A message
 * counts as the UTF-8 of its JSON (G6).
 */
export const openFileGateway = ({ file }: FileOptions): FileGateway => {
  let lines: LineFile | undefined
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  const write = async (line: string): Promise<PushResult> => {
    try {
      lines ??= await openLineFile(file)
      await lines.append(line)
      return DELIVERED
    } catch {
      // A missing folder, a full disk or wrong permissions: all may be fixed.
      return retry()
    }
  }

  /** One after the other, so that no line ends up in the middle of another. */
  const inTurn = (line: string): Promise<PushResult> => {
    if (isClosed) return Promise.resolve(retry())
    const written = last.then(() => write(line))
    last = written
    return written
  }

  return {
    bytesOf: jsonBytes,
    send: (push) => () => inTurn(pushLine(push)),
    check: () => inTurn(''),
    close: async () => {
      isClosed = true
      await last
      await lines?.close()
      lines = undefined
    },
  }
}
