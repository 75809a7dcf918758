import { type Batch, type DeliveryResult, LEASE } from '@almoner/domain/delivery'
import { PROVIDERS } from '@almoner/domain/people'
import type { Deliveries } from '@almoner/domain/ports'
import { addMillis, collect, type Email, instant, type NotificationId } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

type Results = ReadonlyArray<DeliveryResult>

const withResults =
  (change: (results: Results) => Results) =>
  ({ record }: Deliveries): Partial<Deliveries> => ({
    record: (claim, results, at) => record(claim, change(results), at),
  })

/** Faults of deliveries. */
export const DELIVERY_FAULTS: Faults<'deliveries'> = {
  deliveries: {
    'starts notifications an hour early': [
      'G2, G4: notifications with a past or present due date are started, others are not',
      ({ start }) => ({ start: (now, life) => start(addMillis(now, 3_600_000), life) }),
    ],
    'starts a notification in each review': [
      'G4: of concurrent reviews, one starts a notification',
      ({ start }) => {
        const started: Array<NotificationId> = []
        return {
          start: returning(start, (ids) => {
            started.push(...ids)
            return [...started]
          }),
        }
      },
    ],
    'begins each life with the start': [
      'G5: a notification’s life begins with its date or its start, whichever is later',
      ({ claim }) => ({
        claim: returning(claim, (found, { now }) =>
          O.map((batch: Batch) => ({ ...batch, endsAt: addMillis(now, 3_600_000) }))(found),
        ),
      }),
    ],
    'returns recipients in the reverse order': [
      'a claim returns recipients in the order of their devices',
      ({ claim }) => ({
        claim: returning(
          claim,
          O.map((batch) => ({ ...batch, recipients: batch.recipients.toReversed() })),
        ),
      }),
    ],
    'claims 500 recipients, however many are asked for': [
      'a claim returns recipients in the order of their devices, up to the requested number',
      ({ claim }) => ({ claim: (request) => claim({ ...request, most: 500 }) }),
    ],
    'ignores leases': [
      'G5: a lease blocks other claims until it ends',
      ({ claim }) => ({
        claim: (request) =>
          pipe(
            claim(request),
            TE.flatMap((batch) =>
              O.isSome(batch) ? TE.right(batch) : claim({ ...request, now: addMillis(request.now, LEASE) }),
            ),
          ),
      }),
    ],
    'does not renew a lease': [
      'G5: recording results renews the lease',
      ({ record }) => ({
        record: (claim, results, at) => record(claim, results, { ...at, now: addMillis(at.now, -LEASE) }),
      }),
    ],
    'claims the batches of the same process': [
      'a process does not claim its own batch again',
      ({ claim }) => ({ claim: (request) => claim({ ...request, except: [] }) }),
    ],
    'keeps a claim that is released': [
      'a released batch can be claimed at once',
      () => ({ releaseClaim: () => TE.right(undefined) }),
    ],
    'accepts results of an outdated claim': [
      'G5: an outdated claim can neither record results nor check eligibility',
      ({ record }) => ({
        record: (...given) =>
          pipe(
            record(...given),
            TE.orElse((left) =>
              left._tag === 'ClaimLost' ? TE.right({ results: [], paused: [] }) : TE.left(left),
            ),
          ),
      }),
    ],
    'records the first result of several': [
      'G5, G7: each outcome is counted, and the sum is all recipients',
      withResults((results) => results.slice(0, 1)),
    ],
    'keeps a dead device': [
      'G5: a dead device is detached',
      withResults((results) =>
        results.map((result) =>
          result.kind === 'unregistered' ? { ...result, kind: 'notSent', outcome: 'failed' } : result,
        ),
      ),
    ],
    'detaches each device of a recipient': [
      'G5: a device that was moved or attached again since is not detached',
      ({ claim, record }, { devices }) => {
        const emails = new Map<number, Email>()
        return {
          claim: returning(
            claim,
            O.map((batch) => {
              for (const { deviceId, email } of batch.recipients) emails.set(deviceId, email)
              return batch
            }),
          ),
          record: (claimed, results, at) => async () => {
            const recorded = await record(claimed, results, at)()
            for (const { deviceId, kind } of results) {
              const email = emails.get(deviceId)
              if (kind !== 'unregistered' || email === undefined) continue
              for (const device of await collect(devices.ofUser(email))) await devices.detach(email, device)()
            }
            return recorded
          },
        }
      },
    ],
    'retries at once': [
      'G5: a retry is claimed when due, not earlier',
      withResults((results) =>
        results.map((result) => (result.kind === 'retry' ? { ...result, at: O.some(instant(0)) } : result)),
      ),
    ],
    'prefers retries': [
      'G15: claims prefer released batches, then retries or new recipients as they ask',
      ({ claim }) => ({ claim: (request) => claim({ ...request, first: 'retries' }) }),
    ],
    'sets nothing aside': ['G10: setting a batch aside fails it', () => ({ setAside: () => TE.right(3) })],
    'sends during a pause': [
      'G15: a pause of a provider holds all its origins',
      ({ checkEligibility }) => ({
        checkEligibility: returning(checkEligibility, (found) => ({ ...found, closed: new Map() })),
      }),
    ],
    'keeps an origin closed beyond the time that it asks for': [
      'G15: nothing is to be sent to an origin until the time that it asks for',
      ({ checkEligibility }) => ({
        checkEligibility: (claim, recipients, now) => checkEligibility(claim, recipients, addMillis(now, -1)),
      }),
    ],
    'releases devices of other processes’ providers': [
      'G5, G15: a process releases deferred devices of its own providers',
      ({ releaseDeferred }) => ({
        releaseDeferred: (request) => releaseDeferred({ ...request, by: PROVIDERS }),
      }),
    ],
    'releases more devices than a process can take': [
      'G5, G15: a process releases deferred devices of its own providers, as many as it can take',
      ({ releaseDeferred }) => ({
        releaseDeferred: (request) => releaseDeferred({ ...request, room: () => 1000 }),
      }),
    ],
    'sends a probe to the first device': [
      'G15: a probe goes to a device at random',
      ({ releaseDeferred }) => ({
        releaseDeferred: (request) => releaseDeferred({ ...request, fraction: 0 }),
      }),
    ],
    'counts no claims': [
      'the backlog has the counts of deliveries and claims',
      ({ backlog }) => ({
        backlog: returning(backlog, (left) => ({ ...left, claimed: 0 })),
      }),
    ],
    'forgets retries that come': [
      'G9: the next due date and the next retry are returned',
      ({ upcoming }) => ({
        upcoming: returning(upcoming, (next) => ({ ...next, retry: O.none })),
      }),
    ],
    'counts retries as sent': [
      'G5: the queue metrics count remaining recipients and those that wait for a retry',
      ({ queue }) => ({
        queue: returning(queue, (found) => ({ ...found, pending: found.pending - found.retries })),
      }),
    ],
    'measures from the start': [
      'G4: the queue metrics report the oldest due date, started or not',
      ({ queue }) => ({
        queue: returning(queue, (found) => ({ ...found, dueSince: O.none })),
      }),
    ],
  },
}
