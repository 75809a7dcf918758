import { join } from 'node:path'
import type { Test } from 'tap'
import type { Finding } from '../../../src/commands/doctor/doctor.ts'
import { type Machine, THIS_MACHINE } from '../../../src/commands/doctor/finding.ts'
import type { Variables } from '../almoner.ts'
import { DEFAULT_DATABASE, makeCurrent } from '../database.ts'
import { inProcess } from '../in-process.ts'

/** What the doctor is run with. */
export interface Surroundings {
  readonly variables: Variables
  readonly machine?: Partial<Machine>
}

/** Brings about a finding, and follows its advice. */
export interface Trial {
  readonly bringAbout: (t: Test) => Promise<Surroundings & Follow>
}

interface Follow {
  /** Follows the advice. Returns the changed surroundings. */
  readonly follow: (found: Finding) => Promise<Partial<Surroundings>>
}

/** Why a finding is not brought about, or its advice cannot be followed here. */
export interface Reason {
  readonly reason: string
}

/** A machine with enough room. */
export const ROOMY: Machine = {
  ...THIS_MACHINE,
  roomAt: async () => ({ bavail: 12 * 1024, bsize: 1024 ** 2, files: 10, ffree: 5 }),
}

/** The places in a folder of a test. */
export const placesIn = (folder: string): Variables => ({
  ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`,
  ALMONER_MEDIA: `file:${join(folder, 'data/media')}`,
})

/** A folder with a database of the current schema, and a folder for images. */
export const currentFolder = async (t: Test): Promise<string> => {
  const folder = t.testdir({ data: { media: {} } })
  await makeCurrent(folder)
  return folder
}

/** Runs a command that an advice names, without its `almoner`. Throws if it fails. */
export const obey = async (command: string, variables: Variables): Promise<void> => {
  const { code, err } = await inProcess(command.replace(/^almoner /, '').split(' '), variables)
  if (code !== 0) throw new Error(`${command}: ${err}`)
}
