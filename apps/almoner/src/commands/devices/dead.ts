import { type DeadDevice, instant, toRfc3339 } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Work } from '../../cli/command.ts'
import { printBatches } from '../../cli/print-batches.ts'
import { table } from '../../cli/table.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { type DeadOptions, whichDead } from './which.ts'

const HEADS = ['DETACHED'.padEnd(toRfc3339(instant(0)).length), 'PROVIDER', 'EMAIL']

/** A dead device as JSON, without its token: who has that can send to the device. */
const document = ({ device: { email, kind, attachedAt }, detachedAt }: DeadDevice) => ({
  email,
  provider: kind,
  attachedAt: toRfc3339(attachedAt),
  detachedAt: toRfc3339(detachedAt),
})

const rowOf = ({ device: { email, kind }, detachedAt }: DeadDevice) => [toRfc3339(detachedAt), kind, email]

const shown = {
  document,
  table: (rows: ReadonlyArray<DeadDevice>) => table(HEADS, rows.map(rowOf)),
}

/** `devices dead [--provider P] [--last TIME]`: the devices that were detached as dead and can be restored, oldest first (G5). */
export const listDeadDevices =
  (options: DeadOptions, terminal: Terminal, asJson: boolean): Work =>
  (settings) =>
    pipe(
      TE.fromEither(whichDead(options)),
      TE.flatMap((which) =>
        onDatabase(({ deadDevices, clock }) =>
          printBatches(deadDevices.list(which(clock)).batches, shown, { terminal, asJson }),
        )(settings),
      ),
    )
