import type { FindingCode, HealthFinding } from '@almoner/domain/operations'
import type { OpenDatabase } from '../../composition/database.ts'
import type { Service } from '../../composition/service.ts'
import type { Settings } from '../../config/definitions.ts'
import { messageOf } from '../../failure.ts'
import { TimeLimitPassed, withinLimit } from '../../time-limit.ts'
import type { Machine } from './machine.ts'

/** One finding of a check. */
export interface Found {
  /** A fault needs action; a warning may. */
  readonly level: 'ok' | 'warning' | 'fault'
  readonly what: string
  /** What to do about it; empty where nothing is to be done. */
  readonly fix: string
  /** The same as data, for the console: none where only the doctor can find it. */
  readonly data?: Pick<HealthFinding, 'code' | 'values'>
}

/** What the doctor examines. */
export interface Examination {
  readonly settings: Settings
  readonly service: Service
  readonly machine: Machine
  /** The database, if it opens and has the schema of this program. Otherwise the check of the database reports the problem. */
  readonly database: OpenDatabase | undefined
}

/** One thing to examine. It creates and changes nothing. */
export interface Check {
  readonly name: string
  /** What it waits for, in words: it may never answer. */
  readonly asks: string
  /** A rejection becomes a finding. */
  readonly look: (examination: Examination) => Promise<ReadonlyArray<Found>>
}

/** Milliseconds that a check may take: a store has two attempts of eight seconds. */
export const LIMIT = 30_000

/** Carries out a check. One that fails, or does not end in time, has a fault with the reason instead of its findings. */
export const carryOut = async (
  { look, asks }: Check,
  examination: Examination,
  limit: number,
): Promise<ReadonlyArray<Found>> => {
  try {
    return await withinLimit(look(examination), limit, asks)
  } catch (cause) {
    if (cause instanceof TimeLimitPassed)
      return [
        fault(
          cause.message,
          `see that ${asks} can be reached from here and answers; if it is only slow, give each check more time, as with --limit 300`,
        ),
      ]
    return [fault(`it cannot be looked at: ${messageOf(cause)}`, 'mend what this says, and ask again')]
  }
}

export const ok = (what: string): Found => ({ level: 'ok', what, fix: '' })
export const warning = (what: string, fix: string): Found => ({ level: 'warning', what, fix })
export const fault = (what: string, fix: string): Found => ({ level: 'fault', what, fix })

/** Returns a finding with the same as data. */
export const coded = (found: Found, code: FindingCode, values: HealthFinding['values'] = {}): Found => ({
  ...found,
  data: { code, values },
})
