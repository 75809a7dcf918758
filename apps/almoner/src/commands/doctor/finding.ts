import type { Settings } from '../../config/definitions.ts'
import type { Machine } from './machine.ts'

/** How much a finding asks for: nothing, a thought, or something to be done. */
export type Level = 'ok' | 'warning' | 'fault'

/** One thing that the doctor found. */
export interface Finding {
  /** What was looked at, in a word. */
  readonly check: string
  readonly level: Level
  readonly what: string
  /** What to do about it; empty where nothing is to be done. */
  readonly fix: string
}

/** A finding before it is said what was looked at. */
export type Found = Omit<Finding, 'check'>

/** Something to look at. It may reject: the doctor tells of that too. It makes and changes nothing. */
export interface Check {
  readonly name: string
  readonly look: (settings: Settings, machine: Machine) => Promise<ReadonlyArray<Found>>
}

export const ok = (what: string): Found => ({ level: 'ok', what, fix: '' })
export const warning = (what: string, fix: string): Found => ({ level: 'warning', what, fix })
export const fault = (what: string, fix: string): Found => ({ level: 'fault', what, fix })
