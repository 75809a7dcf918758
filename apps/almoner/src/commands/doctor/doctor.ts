import * as E from 'fp-ts/lib/Either.js'
import type { ProcessCommand } from '../../cli/command.ts'
import type { OpenDatabase } from '../../composition/database.ts'
import { makeLogger } from '../../composition/logger.ts'
import { integer, withinLimit } from '../../composition/node.ts'
import { makeService, type Service } from '../../composition/service.ts'
import type { Settings } from '../../config/definitions.ts'
import { readSettings } from '../../config/read.ts'
import { type ExitCode, failed, misused } from '../../failure.ts'
import { reportFailure, type Terminal } from '../../terminal.ts'
import { databaseCheck } from './database.ts'
import {
  addressCheck,
  exposureCheck,
  linkProxyCheck,
  previewCheck,
  proxyCheck,
  signInCheck,
} from './exposure.ts'
import { diskCheck } from './files.ts'
import { type Check, carryOut, type Found, fault, LIMIT, type Machine, ok, THIS_MACHINE } from './finding.ts'
import { clockCheck, heldFilesCheck, providerClockCheck } from './in-server.ts'
import { mediaCheck, sweepCheck } from './media.ts'
import { askCheck, pushCheck } from './push.ts'
import {
  devicesCheck,
  linksCheck,
  nodesCheck,
  pausesCheck,
  peopleCheck,
  portfolioCheck,
  retentionCheck,
  schedulesCheck,
} from './stored.ts'

/** The checks after that of the database, in the order of the output. */
const CHECKS: ReadonlyArray<Check> = [
  heldFilesCheck,
  diskCheck,
  clockCheck,
  nodesCheck,
  mediaCheck,
  sweepCheck,
  pushCheck,
  pausesCheck,
  devicesCheck,
  linksCheck,
  linkProxyCheck,
  retentionCheck,
  schedulesCheck,
  portfolioCheck,
  peopleCheck,
  addressCheck,
  exposureCheck,
  proxyCheck,
  previewCheck,
  signInCheck,
]

/** The checks if providers may be asked too. */
export const WITH_PROVIDERS: ReadonlyArray<Check> = [...CHECKS, askCheck, providerClockCheck]

/** A finding with the name of its check. */
export interface Finding extends Omit<Found, 'values'> {
  readonly check: string
}

const named = (check: string, found: ReadonlyArray<Found>): ReadonlyArray<Finding> =>
  found.map(({ values: _, ...rest }) => ({ check, ...rest }))

/** Opens the database, if it exists and has the current schema. */
const currentDatabase = async (service: Service): Promise<OpenDatabase | undefined> => {
  if (!service.databaseExists()) return undefined
  try {
    const database = await service.database()
    const plan = await database.migrator.plan()()
    const isCurrent = E.isRight(plan) && !plan.right.isEmpty && plan.right.pending.length === 0
    return isCurrent ? database : undefined
  } catch {
    // The check of the database reports it.
    return undefined
  }
}

const CLOSING = 10_000

/** Closes what was opened; what does not close in time is left to the end of the process. */
const closeInTime = (service: Service): Promise<void> =>
  withinLimit(service.close(), CLOSING, 'what was opened').catch(() => {})

/** Carries out the checks of a service, each within the limit in milliseconds. Nothing stays open. */
const examine = async (
  settings: Settings,
  checks: ReadonlyArray<Check>,
  machine: Machine,
  limit: number,
): Promise<ReadonlyArray<Finding>> => {
  const logger = () => makeLogger(settings.logLevel)
  const open = () => makeService(settings, logger, { leavesErasure: true })
  const [alone, service] = [open(), open()]
  try {
    // Alone and first, because it looks at the file while the doctor has it closed.
    const first = await carryOut(
      databaseCheck,
      { settings, machine, service: alone, database: undefined },
      limit,
    )
    await closeInTime(alone)
    const database = await withinLimit(currentDatabase(service), limit, 'the database').catch(() => undefined)
    const examination = { settings, machine, service, database }
    const begin = (check: Check) => carryOut(check, examination, limit)
    // It stores an image for a moment, which would look like that of another database.
    const media = checks.includes(mediaCheck) ? begin(mediaCheck) : []
    const rest = checks.map(async (check) => {
      if (check === sweepCheck) await media
      return named(check.name, await (check === mediaCheck ? media : begin(check)))
    })
    return [...named(databaseCheck.name, first), ...(await Promise.all(rest)).flat()]
  } finally {
    await Promise.all([closeInTime(alone), closeInTime(service)])
  }
}

const linesOf = ({ check, level, what, fix }: Finding): string =>
  [`${level.padEnd(8)} ${check}: ${what}`, ...(fix === '' ? [] : [`${' '.repeat(9)}${fix}`])].join('\n')

interface DoctorOptions {
  readonly push?: true
  readonly json?: true
  readonly limit?: string
}

/** Reads the seconds that each check may take, as milliseconds. */
const limitOf = (text: string | undefined): number => {
  if (text === undefined) return LIMIT
  const limit = integer(1, 3600)(text)
  if (E.isLeft(limit)) throw misused(`--limit ${limit.left}`)
  return limit.right * 1000
}

/** Examines the settings of an environment, and all that the service needs where they can be read. */
export const findingsOf = async (
  environment: Terminal['environment'],
  checks: ReadonlyArray<Check>,
  machine: Machine,
  limit = LIMIT,
): Promise<ReadonlyArray<Finding>> => {
  const settings = readSettings(environment)
  const fix = 'mend it; the rest is looked at once all settings are right'
  return E.isLeft(settings)
    ? named(
        'settings',
        settings.left.map((line) => fault('settings', line, fix)),
      )
    : [
        ...named('settings', [ok('all can be read')]),
        ...(await examine(settings.right, checks, machine, limit)),
      ]
}

/** Examines all that the service needs, and prints what to do. Returns 1 when something has to be done. */
export const doctor = async (
  terminal: Terminal,
  { push, json, limit }: DoctorOptions,
  machine = THIS_MACHINE,
): Promise<ExitCode> => {
  const checks = push ? WITH_PROVIDERS : CHECKS
  const findings = await findingsOf(terminal.environment, checks, machine, limitOf(limit))
  const faults = findings.filter(({ level }) => level === 'fault').length
  const shown = findings.map(({ code: _, ...finding }) => finding)
  await terminal.out(`${json ? JSON.stringify({ findings: shown }) : findings.map(linesOf).join('\n')}\n`)
  return faults === 0 ? 0 : reportFailure(terminal, failed(`findings that need action: ${faults}`))
}

export const doctorCommand: ProcessCommand<DoctorOptions> = {
  usage: 'doctor',
  summary: 'check everything that the service needs, and name a fix for each problem',
  options: [
    ['--json', 'print one JSON document'],
    ['--push', 'also contact the providers; sends nothing to any device'],
    ['--limit <seconds>', 'time limit of each check, 30 by default; more for a very large image storage'],
  ],
  start: doctor,
}
