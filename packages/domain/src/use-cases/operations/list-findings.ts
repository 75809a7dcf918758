import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientRole, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { ManagerPolicy } from '../../managers/ports.ts'
import type { HealthFinding } from '../../operations/finding.ts'
import { type Host, SILENT_HOST } from '../../operations/host.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import { parameters } from '../../values/parameters.ts'
import { sharedTask } from './shared-task.ts'
import {
  checkDevices,
  checkImages,
  checkNodes,
  checkPauses,
  checkRetention,
  checkYears,
  type Findings,
} from './store-checks.ts'

/** Parameters of GET /findings. */
export const ListFindings = parameters({ name: 'ListFindings', required: {}, optional: {} })
export type ListFindings = typeof ListFindings._A

const settled = async (check: string, findings: Findings): Promise<ReadonlyArray<HealthFinding>> => {
  const found = await findings()
  const failed: HealthFinding = { check, level: 'fault', code: 'check-failed', values: {} }
  return E.isRight(found) ? found.right : [failed]
}

/** Returns what the checks of the store and of the host find, for operators. Changes nothing (D6, F5, G5, G8, G11, H2). */
export const makeListFindings = (
  ports: OperationsPorts,
  policy: Pick<ManagerPolicy, 'deliveryDays' | 'notificationDays' | 'joinedYears'>,
  host: Host = SILENT_HOST,
) => {
  const examine = sharedTask(
    ports.clock,
    // An operator who has mended something sees it at once; only callers at the same time share a run.
    0,
    async (): Promise<E.Either<never, ReadonlyArray<HealthFinding>>> => {
      const found = await Promise.all([
        host.examine(),
        settled('nodes', checkNodes(ports)),
        settled('images', checkImages(ports)),
        settled('pauses', checkPauses(ports)),
        settled('devices', checkDevices(ports)),
        settled('retention', checkRetention(ports, policy)),
        settled('portfolio', checkYears(ports, policy)),
      ])
      return E.right(found.flat())
    },
  )
  return (
    caller: Caller,
    _parameters: ListFindings,
  ): TE.TaskEither<InsufficientScope | InsufficientRole, ReadonlyArray<HealthFinding>> =>
    permitted('operate', caller)(() => examine)
}
