import * as E from 'fp-ts/lib/Either.js'
import type { ProcessCommand } from '../../cli/command.ts'
import type { OpenDatabase } from '../../composition/database.ts'
import { makeLogger } from '../../composition/logger.ts'
import { makeService, type Service } from '../../composition/service.ts'
import type { Settings } from '../../config/definitions.ts'
import { readSettings } from '../../config/read.ts'
import { type ExitCode, failed, messageOf } from '../../failure.ts'
import { reportFailure, type Terminal } from '../../terminal.ts'
import { clockCheck, providerClockCheck } from './clock.ts'
import { databaseCheck } from './database.ts'
import { diskCheck } from './disk.ts'
import { exposureCheck } from './exposure.ts'
import { type Check, type Examination, type Found, fault, ok } from './finding.ts'
import { type Machine, THIS_MACHINE } from './machine.ts'
import { mediaCheck, sweepCheck } from './media.ts'
import { askCheck, pushCheck } from './push.ts'
import { signInCheck } from './sign-in.ts'
import { devicesCheck, nodesCheck, pausesCheck, portfolioCheck, retentionCheck } from './stored.ts'

/** The checks after that of the database, in the order of the output. */
const CHECKS: ReadonlyArray<Check> = [
  diskCheck,
  clockCheck,
  nodesCheck,
  mediaCheck,
  sweepCheck,
  pushCheck,
  pausesCheck,
  devicesCheck,
  retentionCheck,
  portfolioCheck,
  exposureCheck,
  signInCheck,
]

/** The checks if providers may be asked too. */
const WITH_PROVIDERS: ReadonlyArray<Check> = [...CHECKS, askCheck, providerClockCheck]

interface Finding extends Omit<Found, 'data'> {
  readonly check: string
}

const named = (check: string, found: ReadonlyArray<Found>): ReadonlyArray<Finding> =>
  found.map(({ level, what, fix }) => ({ check, level, what, fix }))

const carryOut = async ({ name, look }: Check, examination: Examination): Promise<ReadonlyArray<Finding>> => {
  try {
    return named(name, await look(examination))
  } catch (cause) {
    const what = `it cannot be looked at: ${messageOf(cause)}`
    return named(name, [fault(what, 'mend what this says, and ask again')])
  }
}

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

const examine = async (
  settings: Settings,
  checks: ReadonlyArray<Check>,
  machine: Machine,
): Promise<ReadonlyArray<Finding>> => {
  const open = () => makeService(settings, () => makeLogger(settings.logLevel))
  // Alone and first, because it looks at the file while the doctor has it closed.
  const first = await carryOut(databaseCheck, { settings, machine, service: open(), database: undefined })
  const service = open()
  try {
    const examination = { settings, machine, service, database: await currentDatabase(service) }
    const rest = await Promise.all(checks.map((check) => carryOut(check, examination)))
    return [...first, ...rest.flat()]
  } finally {
    await service.close()
  }
}

const linesOf = ({ check, level, what, fix }: Finding): string =>
  [`${level.padEnd(8)} ${check}: ${what}`, ...(fix === '' ? [] : [`${' '.repeat(9)}${fix}`])].join('\n')

interface DoctorOptions {
  readonly push?: true
  readonly json?: true
}

/** Examines all that the service needs, and prints what to do. Returns 1 when something has to be done. */
export const doctor = async (
  terminal: Terminal,
  { push, json }: DoctorOptions,
  machine = THIS_MACHINE,
): Promise<ExitCode> => {
  const settings = readSettings(terminal.environment)
  const fix = 'mend it; the rest is looked at once all settings are right'
  const findings = E.isLeft(settings)
    ? named(
        'settings',
        settings.left.map((line) => fault(line, fix)),
      )
    : [
        ...named('settings', [ok('all can be read')]),
        ...(await examine(settings.right, push ? WITH_PROVIDERS : CHECKS, machine)),
      ]
  const faults = findings.filter(({ level }) => level === 'fault').length
  await terminal.out(`${json ? JSON.stringify({ findings }) : findings.map(linesOf).join('\n')}\n`)
  return faults === 0 ? 0 : reportFailure(terminal, failed(`findings that need action: ${faults}`))
}

export const doctorCommand: ProcessCommand<DoctorOptions> = {
  usage: 'doctor',
  summary: 'check everything that the service needs, and name a fix for each problem',
  options: [
    ['--json', 'print one JSON document'],
    ['--push', 'also contact the providers; sends nothing to any device'],
  ],
  start: doctor,
}
