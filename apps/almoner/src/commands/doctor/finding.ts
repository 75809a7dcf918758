import type { StatsFs } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import type { FindingCode, HealthFinding } from '@almoner/domain/operations'
import type { OpenDatabase } from '../../composition/database.ts'
import { TimeLimitPassed, withinLimit } from '../../composition/node.ts'
import type { Service } from '../../composition/service.ts'
import type { Settings } from '../../config/definitions.ts'
import { messageOf } from '../../failure.ts'

/** The machine that the doctor examines. */
export interface Machine {
  /** Returns its time, in epoch milliseconds. */
  readonly now: () => number
  /** The version of Node, such as `24.21.0`. */
  readonly node: string
  /** Resolves to the free space at a path. Rejects when the path does not exist. */
  readonly roomAt: (path: string) => Promise<Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>>
  /** Rejects, with the system's code, when this user cannot write a file that exists. */
  readonly mayWrite: (path: string) => Promise<void>
}

/** The machine that the program runs on. */
export const THIS_MACHINE: Machine = {
  now: Date.now,
  node: process.versions.node,
  roomAt: (path) => statfs(path),
  mayWrite: (path) => access(path, constants.W_OK),
}

/** What only the doctor finds: the console has no words for it. */
export const DOCTOR_CODES = [
  'settings',
  'no-answer',
  'not-examined',
  'database-absent',
  'database-connections',
  'database-crowded',
  'database-damaged',
  'database-denied',
  'database-empty',
  'database-encoding',
  'database-foreign',
  'database-history',
  'database-login',
  'database-missing',
  'database-no-schema',
  'database-not-writable',
  'database-outdated',
  'database-pooler',
  'database-read-only',
  'database-schemas',
  'database-standby',
  'database-strange',
  'database-unreachable',
  'database-unusable',
  'erasure-unfinished',
  'folder-not-made',
  'people-donors',
  'provider-certificate',
  'provider-message',
  'provider-refuses',
  'provider-silent',
  'provider-waits',
  'preview-origin',
  'proxy-unused',
  'sign-in-passkeys',
  'sign-in-provider',
] as const
/** The kind of a finding. A test follows the advice for each (`doctor-advice.test.ts`). */
export type DoctorCode = FindingCode | (typeof DOCTOR_CODES)[number]

/** One finding of a check. */
export interface Found {
  /** A fault needs action; a warning may. */
  readonly level: 'ok' | 'warning' | 'fault'
  readonly what: string
  /** What to do about it; empty where nothing is to be done. */
  readonly fix: string
  readonly code: DoctorCode
  /** What the console's words for it need, by name. */
  readonly values: HealthFinding['values']
}

/** What the doctor examines. */
export interface Examination {
  readonly settings: Settings
  readonly service: Service
  readonly machine: Machine
  /** The database, if it opens and has the schema of this program. Otherwise the check of the database reports the problem. */
  readonly database: OpenDatabase | undefined
}

/** One thing to examine. It leaves no change behind. */
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
          'no-answer',
          cause.message,
          `see that ${asks} can be reached from here and answers; if it is only slow, give each check more time, as with --limit 300`,
        ),
      ]
    return [
      fault(
        'not-examined',
        `it cannot be looked at: ${messageOf(cause)}`,
        'mend what this says, and ask again',
      ),
    ]
  }
}

const NO_VALUES: HealthFinding['values'] = {}

export const ok = (what: string): Found => ({
  level: 'ok',
  code: 'in-order',
  what,
  fix: '',
  values: NO_VALUES,
})
export const warning = (code: DoctorCode, what: string, fix: string, values = NO_VALUES): Found => ({
  level: 'warning',
  code,
  what,
  fix,
  values,
})
export const fault = (code: DoctorCode, what: string, fix: string, values = NO_VALUES): Found => ({
  level: 'fault',
  code,
  what,
  fix,
  values,
})
