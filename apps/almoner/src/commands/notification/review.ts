import type { Ports, Unavailable } from '@almoner/domain'
import {
  type Backlog,
  makeReview,
  type Pause,
  pausesAmong,
  type ResponseCount,
  type ReviewSummary,
  type SetAside,
} from '@almoner/domain/delivery'
import type { StopSignal } from '@almoner/domain/ports'
import { toRfc3339 } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Command, CommandOutput } from '../../cli/command.ts'
import { rejectUnknownAddress } from '../../composition/address.ts'
import { type PushWay, unsentNote } from '../../config/push.ts'
import { failed, fromDatabase, messageOf } from '../../failure.ts'
import { otherGateways, providersElsewhere, refusalText } from '../../jobs/nodes.ts'
import { countsOf, NOTHING_DONE, pauseDocument } from '../../jobs/review.ts'
import { interruptible } from './interruptible.ts'
import { watchReview } from './watched-review.ts'

type Counts = ReturnType<typeof countsOf>

/** The summary of a review, and the remaining work. */
interface ReviewOutcome {
  readonly counts: Counts
  readonly answers: ReadonlyArray<ResponseCount>
  /** Results that could not be recorded (G10). */
  readonly setAside: ReadonlyArray<SetAside>
  readonly backlog: Backlog
  readonly pauses: ReadonlyArray<Pause>
}

/** Milliseconds between two looks at what other processes have claimed. */
const PAUSE = 500

const COUNTS = Object.keys(NOTHING_DONE) as ReadonlyArray<keyof Counts>

const sum = (a: Counts, b: Counts): Counts => {
  const total = { ...a }
  for (const name of COUNTS) total[name] += b[name]
  return total
}

/**
 * Reviews until all is settled or waits for a retry. Claims of another process are settled by that process, or taken over by the next review
 * when their lease has ended. Once the signal is aborted, it returns when what it has begun is recorded.
 */
export const reviewAll =
  (
    { deliveries, providers, timer, clock }: Pick<Ports, 'deliveries' | 'providers' | 'timer' | 'clock'>,
    review: TE.TaskEither<Unavailable, ReviewSummary>,
    signal?: StopSignal,
  ): TE.TaskEither<Unavailable, ReviewOutcome> =>
  async () => {
    const once = pipe(
      TE.Do,
      TE.bind('reviewed', () => review),
      TE.bind('backlog', () => deliveries.backlog()),
      TE.bind('pauses', () => TE.map(pausesAmong)(providers.states(clock.now()))),
    )
    let counts = NOTHING_DONE
    const answers: Array<ResponseCount> = []
    const setAside: Array<SetAside> = []
    for (;;) {
      const done = await once()
      if (E.isLeft(done)) return done
      const { reviewed, ...left } = done.right
      counts = sum(counts, countsOf(reviewed))
      answers.push(...reviewed.answers)
      setAside.push(...reviewed.setAside)
      if (left.backlog.claimed === 0 || signal?.aborted)
        return E.right({ counts, answers, setAside, ...left })
      await timer.wait(PAUSE)()
    }
  }

const setAsideLine = ({ notificationId, devices, cause }: SetAside): string =>
  `could not be recorded, counted as failed: ${devices} devices of notification ${notificationId}: ${messageOf(cause)}`

const linesOf = ({ counts, answers, setAside, backlog, pauses }: ReviewOutcome): ReadonlyArray<string> => {
  const { started, retries, deferred, ...tally } = counts
  const { sending, nextRetry } = backlog
  const outcomes = Object.entries(tally).map(([outcome, count]) => `${count} ${outcome}`)
  return [
    `started: ${started}`,
    `devices: ${outcomes.join(', ')}`,
    `retries: ${retries}`,
    ...answers.map(({ provider, result, reason, count }) => `${provider} ${result} ${reason}: ${count}`),
    ...setAside.map(setAsideLine),
    ...(deferred === 0 ? [] : [`deferred, as they wait for their provider: ${deferred}`]),
    ...(sending === 0 ? [] : [`still being sent: ${sending}`]),
    ...pauses.map(({ origin, reason }) => `${origin} is paused: ${reason} (almoner push status)`),
    ...(O.isNone(nextRetry) ? [] : [`next retry: ${toRfc3339(nextRetry.value)}`]),
  ]
}

const outputOf = (outcome: ReviewOutcome, push: PushWay): CommandOutput => {
  const { sending, nextRetry } = outcome.backlog
  // Devices count as delivered once their lines are written, which must not be mistaken for pushes.
  const note = unsentNote(push)
  const notSent = note === undefined ? [] : [`ALMONER_PUSH=${push.kind}: ${note}`]
  return {
    text: [...linesOf(outcome), ...notSent].join('\n'),
    json: {
      via: push.kind,
      ...outcome.counts,
      answers: outcome.answers,
      setAside: outcome.setAside.map(({ notificationId, devices }) => ({ notificationId, devices })),
      sending,
      nextRetry: O.match(() => '', toRfc3339)(nextRetry),
      paused: outcome.pauses.map(pauseDocument),
    },
  }
}

/**
 * `notification review [--force]`: reviews once now (G4), and shows the result. A running node with another ALMONER_PUSH prevents it (G11):
 * what goes into the log here would count as delivered there. Progress is shown unless pushes are lines on the same screen.
 */
export const reviewNotifications: Command<{ readonly force?: true }> = {
  usage: 'notification review',
  summary: 'send all due notifications now, and print a summary',
  options: [['--force', 'run even if another node has a different ALMONER_PUSH']],
  async run({ options, service, settings, terminal }) {
    const { push, pushWindow: window } = settings
    const given = await service.pushGateway()
    rejectUnknownAddress(settings)
    const { mediaAddresses } = service.address
    const ports = { ...(await service.ports()), mediaAddresses, pushGateway: given }
    const others = options.force ? [] : await fromDatabase(otherGateways(ports, settings))
    if (others.length > 0) throw failed(`${refusalText(settings, others)}; --force reviews all the same`)
    const isTerminal = terminal.isTerminal && push.kind !== 'log'
    const { pushGateway, end } = watchReview(ports, { ...terminal, isTerminal })
    const review = makeReview({ ...ports, pushGateway }, service.policy)
    const elsewhere = providersElsewhere(ports)
    try {
      return await interruptible(async (signal) => {
        const outcome = await fromDatabase(reviewAll(ports, review({ window, signal, elsewhere }), signal))
        if (!signal.aborted) return outputOf(outcome, push)
        throw failed(`stopped early; the next review goes on: ${linesOf(outcome).join('; ')}`)
      })
    } finally {
      end()
    }
  },
}
