import type { Ports } from '@almoner/domain'
import type { DeadDevice, DeadDeviceFilter } from '@almoner/domain/people'
import { instant, toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { after, durationOption, providerArgument } from '../cli/arguments.ts'
import { actedBy, type Command, type CommandOption } from '../cli/command.ts'
import { printBatches } from '../cli/print-batches.ts'
import { table } from '../cli/table.ts'
import { fromDatabase } from '../failure.ts'

interface DeadOptions {
  readonly provider?: string
  readonly last?: string
}

const OPTIONS: ReadonlyArray<CommandOption> = [
  ['--provider <provider>', 'only devices of fcm, apns or webpush'],
  ['--last <time>', 'only devices detached within this time, such as 12h'],
]

/** Reads which dead devices are meant, as a function of the present time. */
const readOptions = ({
  provider,
  last,
}: DeadOptions): ((ports: Pick<Ports, 'clock'>) => DeadDeviceFilter) => {
  const known = O.map((name: string) => providerArgument('--provider', name))(O.fromNullable(provider))
  const time = O.map((milliseconds: number) => -milliseconds)(durationOption('--last', last))
  return ({ clock }) => ({ provider: known, since: after(clock.now(), time) })
}

const HEADS = ['DETACHED'.padEnd(toRfc3339(instant(0)).length), 'PROVIDER', 'EMAIL']

/** Omits the token, which is the address of the device. */
const document = ({ device: { email, kind, attachedAt }, detachedAt }: DeadDevice) => ({
  email,
  provider: kind,
  attachedAt: toRfc3339(attachedAt),
  detachedAt: toRfc3339(detachedAt),
})

const rowOf = ({ device: { email, kind }, detachedAt }: DeadDevice) => [toRfc3339(detachedAt), kind, email]

/** `devices dead [--provider P] [--last TIME]`: lists the devices that can be restored, oldest first (G5). */
const listDeadDevices: Command<DeadOptions> = {
  usage: 'devices dead',
  summary: 'list devices that were detached as dead within a week',
  options: OPTIONS,
  async run(call) {
    const which = readOptions(call.options)
    const ports = await call.service.ports()
    const shown = { document, table: (rows: ReadonlyArray<DeadDevice>) => table(HEADS, rows.map(rowOf)) }
    return printBatches(ports.deadDevices.list(which(ports)).batches, shown, call)
  },
}

/** `devices restore [--provider P] [--last TIME]`: attaches dead devices to their users again (G5). */
const restoreDevices: Command<DeadOptions> = {
  usage: 'devices restore',
  summary: 'attach dead devices again',
  options: OPTIONS,
  async run({ options, service }) {
    const which = readOptions(options)
    const ports = await service.ports()
    const some = which(ports)
    const act = { ...actedBy('devices restore', ports), action: 'restore-devices' } as const
    let restored = 0
    // Each step restores some, so that others need not wait long for the database.
    for (;;) {
      const step = await fromDatabase(ports.deadDevices.restore(some, act))
      if (step === 0) return { text: `restored: ${restored}`, json: { restored } }
      restored += step
    }
  },
}

export const DEVICE_COMMANDS: ReadonlyArray<Command> = [listDeadDevices, restoreDevices]
