import { join } from 'node:path'
import { fillDevices } from '../../stress/fill-devices.ts'
import { type Compared, type Effort, type Figures, medianBy } from '../compare.ts'
import type { Dataset } from '../dataset.ts'
import { startHelper } from '../processes.ts'
import type { Start } from './client.ts'
import type { ProviderKind, ProviderPlace } from './provider.ts'
import { tokenOf } from './pushes.ts'
import { record } from './recorded.ts'

/** A row of the table: pushes to a provider on loopback. */
export interface PushRow {
  readonly name: string
  readonly title: string
  readonly kind: ProviderKind
  /** `review` includes the ledger on SQLite. */
  readonly role: 'gateway' | 'review'
  /** The client by hand unless given. */
  readonly other?: 'curves'
  /** Concurrent pushes. */
  readonly window: number
  readonly least?: number
}

/** Everything that is measured beside a hand-written node:http2 client that posts the same requests, or the work on curves alone. */
export const PUSH_ROWS: ReadonlyArray<PushRow> = [
  { name: 'fcm', title: 'a push by FCM', kind: 'fcm', role: 'gateway', window: 100, least: 0.87 },
  { name: 'apns', title: 'a push by APNs', kind: 'apns', role: 'gateway', window: 100, least: 0.8 },
  {
    ...{ name: 'webpush', title: 'a push by Web Push', kind: 'webpush', role: 'gateway', window: 100 },
    ...{ other: 'curves', least: 0.7 },
  },
  {
    name: 'review',
    title: 'a push of a review by FCM, with ledger',
    kind: 'fcm',
    role: 'review',
    window: 1000,
    least: 0.8,
  },
]

const runClient = async (start: Start, ...args: ReadonlyArray<string | number>): Promise<Figures> => {
  const client = startHelper('push/client.ts', args.map(String))
  const figures = (await client.ask(start)) as Figures
  await client.stop()
  return figures
}

/** Measures a gateway or a review and the other side by turns; the round with the median ratio counts. */
export const comparePush = async (
  { newFolder, size }: Dataset,
  { name, title, kind, role, other, window, least }: PushRow,
  { rounds }: Pick<Effort, 'rounds'>,
): Promise<Compared> => {
  const provider = startHelper('push/provider.ts', [kind])
  const place = (await provider.ask('open')) as ProviderPlace
  const start = { place, recorded: await record(place) }
  const pushes = Math.floor(size.devices / 2)
  const file = join(newFolder(), 'almoner.db')
  if (role === 'review') await fillDevices(file, size.devices, (n) => ({ token: tokenOf(place, n), kind }))
  const measured: Array<readonly [Figures, Figures]> = []
  for (let round = 0; round < rounds; round += 1)
    measured.push([
      await runClient(start, role, role === 'review' ? file : pushes, window),
      await runClient(start, other ?? 'byHand', pushes, window),
    ])
  await provider.stop()
  const sides = medianBy(measured, ([ours, theirs]) => theirs.cpu / ours.cpu)
  const baseline =
    other === undefined ? 'hand-written node:http2 client' : 'elliptic curves alone, as many threads'
  return { name, title, baseline, ...(least && { least }), sides }
}
