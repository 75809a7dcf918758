import { type ExitCode, failed, messageOf } from '../../cli/failure.ts'
import { tell } from '../../cli/perform.ts'
import type { Terminal } from '../../cli/terminal.ts'
import type { Settings } from '../../config/definitions.ts'
import { askCheck } from './ask.ts'
import { clockCheck } from './clock.ts'
import { databaseCheck } from './database.ts'
import { devicesCheck } from './devices.ts'
import { diskCheck } from './disk.ts'
import { exposureCheck } from './exposure.ts'
import { type Check, type Finding, type Found, fault } from './finding.ts'
import { type Machine, THIS_MACHINE } from './machine.ts'
import { mediaCheck } from './media.ts'
import { nodesCheck } from './nodes.ts'
import { pausesCheck } from './pauses.ts'
import { portfolioCheck } from './portfolio.ts'
import { providerClockCheck } from './provider-clock.ts'
import { pushCheck } from './push.ts'
import { retentionCheck } from './retention.ts'
import { examineSettings } from './settings.ts'
import { sweepCheck } from './sweep.ts'

/** What `doctor` looks at, in the order in which it tells of it. */
const CHECKS: ReadonlyArray<Check> = [
  databaseCheck,
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
]

/** What it looks at when it may ask providers too. */
const WITH_PROVIDERS: ReadonlyArray<Check> = [...CHECKS, askCheck, providerClockCheck]

const named = (check: string, found: ReadonlyArray<Found>): ReadonlyArray<Finding> =>
  found.map((each) => ({ check, ...each }))

const carryOut = async (
  { name, look }: Check,
  settings: Settings,
  machine: Machine,
): Promise<ReadonlyArray<Finding>> => {
  try {
    return named(name, await look(settings, machine))
  } catch (cause) {
    return named(name, [
      fault(`it cannot be looked at: ${messageOf(cause)}`, 'mend what this says, and ask again'),
    ])
  }
}

const examine = async (
  { environment }: Terminal,
  checks: ReadonlyArray<Check>,
  machine: Machine,
): Promise<ReadonlyArray<Finding>> => {
  const { settings, found } = examineSettings(environment)
  const rest = settings === undefined ? [] : checks.map((check) => carryOut(check, settings, machine))
  return [...named('settings', found), ...(await Promise.all(rest)).flat()]
}

const linesOf = ({ check, level, what, fix }: Finding): string =>
  [`${level.padEnd(8)} ${check}: ${what}`, ...(fix === '' ? [] : [`${' '.repeat(9)}${fix}`])].join('\n')

/** The arguments of `doctor`. */
export interface DoctorOptions {
  /** Whether to ask the providers, which sends nothing to any device. */
  readonly push?: true
  readonly json?: true
}

/** `doctor [--push]`: looks at all that the service needs, and says what to do. 1 when something has to be done. It never fails by itself. */
export const doctor = async (
  terminal: Terminal,
  { push, json }: DoctorOptions,
  machine = THIS_MACHINE,
): Promise<ExitCode> => {
  const findings = await examine(terminal, push ? WITH_PROVIDERS : CHECKS, machine)
  const faults = findings.filter(({ level }) => level === 'fault').length
  await terminal.out(`${json ? JSON.stringify({ findings }) : findings.map(linesOf).join('\n')}\n`)
  return faults === 0 ? 0 : tell(terminal, failed(`findings that need action: ${faults}`))
}
