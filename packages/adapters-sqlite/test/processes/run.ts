import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a script of this folder in a separate process, and returns its output. Throws if it fails. */
export const run = async (script: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, script), ...args])
  return stdout
}
