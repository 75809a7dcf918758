import type { HealthFinding } from '@almoner/domain/operations'
import { clockCheck } from './clock.ts'
import { diskCheck } from './disk.ts'
import { exposureCheck } from './exposure.ts'
import type { Check, Examination, Found } from './finding.ts'
import { mediaCheck } from './media.ts'
import { pushCheck } from './push.ts'

/** The checks of settings and machine that a running server can make: those of the store are use cases, and that of the database closes it. */
const CHECKS: ReadonlyArray<Check> = [diskCheck, clockCheck, mediaCheck, pushCheck, exposureCheck]

const asData = (check: string, { level, data }: Found): HealthFinding => {
  const unnamed = { code: level === 'ok' ? 'in-order' : 'check-failed', values: {} } as const
  return { check, level, ...(data ?? unnamed) }
}

const carryOut = async (
  { name, look }: Check,
  examination: Examination,
): Promise<ReadonlyArray<HealthFinding>> => {
  try {
    return (await look(examination)).map((found) => asData(name, found))
  } catch {
    return [{ check: name, level: 'fault', code: 'check-failed', values: {} }]
  }
}

/** Examines settings and machine while the server runs, for the console. */
export const examineInServer = async (examination: Examination): Promise<ReadonlyArray<HealthFinding>> =>
  (await Promise.all(CHECKS.map((check) => carryOut(check, examination)))).flat()
