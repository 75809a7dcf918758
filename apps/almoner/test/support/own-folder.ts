import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a folder for a test file. It goes when this process ends: `t.testdir()` outside of a test is one folder for all files. */
export const ownFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'almoner-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
