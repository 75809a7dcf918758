import { FINDING_CODES, type FindingCode, type HealthFinding } from '@almoner/domain/operations'
import { clockCheck } from './clock.ts'
import { diskCheck } from './disk.ts'
import { addressCheck, exposureCheck } from './exposure.ts'
import { type Check, carryOut, type DoctorCode, type Examination, type Found } from './finding.ts'
import { heldFilesCheck } from './held-files.ts'
import { mediaCheck } from './media.ts'
import { pushCheck } from './push.ts'

/** The checks of settings and machine that a running server can make: those of the store are use cases, and that of the database closes it. */
const CHECKS: ReadonlyArray<Check> = [
  heldFilesCheck,
  diskCheck,
  clockCheck,
  mediaCheck,
  pushCheck,
  addressCheck,
  exposureCheck,
]

/** Milliseconds that a check may take while a person waits for the page. */
const LIMIT_IN_SERVER = 10_000

const isFindingCode = (code: DoctorCode): code is FindingCode => FINDING_CODES.some((known) => known === code)

const asData = (check: string, { level, code, values }: Found): HealthFinding =>
  isFindingCode(code) ? { check, level, code, values } : { check, level, code: 'check-failed', values: {} }

/** Examines settings and machine while the server runs, for the console. */
export const examineInServer = async (examination: Examination): Promise<ReadonlyArray<HealthFinding>> =>
  (
    await Promise.all(
      CHECKS.map(async (check) => {
        const found = await carryOut(check, examination, LIMIT_IN_SERVER)
        return found.map((one) => asData(check.name, one))
      }),
    )
  ).flat()
