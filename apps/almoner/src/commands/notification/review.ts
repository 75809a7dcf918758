import {
  type AnswerCount,
  type Backlog,
  makeReview,
  type Pause,
  type Ports,
  pausesAmong,
  type ReviewSummary,
  type SetAside,
  toRfc3339,
  type Unavailable,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Printout, Work } from '../../cli/command.ts'
import { type Failure, failed, messageOf, notAvailable } from '../../cli/failure.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { type PushWay, unsentNote } from '../../config/push.ts'
import { otherGateways, providersElsewhere, refusalText } from '../../jobs/gateways.ts'
import { figuresOf, NOTHING_DONE } from '../../jobs/review.ts'
import { pauseDocument } from '../push/document.ts'
import { interruptible } from './interruption.ts'
import { onSending, type Sending } from './ports.ts'
import { watchReview } from './watched-review.ts'

type Figures = ReturnType<typeof figuresOf>

/** What was done, and what there is left to do. */
interface Outcome {
  readonly figures: Figures
  readonly answers: ReadonlyArray<AnswerCount>
  /** Results that could not be recorded (G10). */
  readonly setAside: ReadonlyArray<SetAside>
  readonly backlog: Backlog
  /** Providers that are paused. */
  readonly pauses: ReadonlyArray<Pause>
}

/** How long to wait for what other processes have claimed before looking again, in milliseconds. */
const PAUSE = 500

const sum = (a: Figures, b: Figures): Figures => ({
  started: a.started + b.started,
  delivered: a.delivered + b.delivered,
  failed: a.failed + b.failed,
  dead: a.dead + b.dead,
  skipped: a.skipped + b.skipped,
  again: a.again + b.again,
  held: a.held + b.held,
})

/**
 * Reviews until all is settled or waits for a retry. What another process has claimed it settles itself, or its lease ends and the
 * next review takes it over. Told to stop, it returns when what it has begun is written down.
 */
export const reviewAll = (
  { deliveries, providers, timer, clock }: Pick<Ports, 'deliveries' | 'providers' | 'timer' | 'clock'>,
  review: TE.TaskEither<Unavailable, ReviewSummary>,
  isStopping: () => boolean = () => false,
): TE.TaskEither<Unavailable, Outcome> => {
  const once = pipe(
    TE.Do,
    TE.bind('reviewed', () => review),
    TE.bind('backlog', () => deliveries.backlog()),
    TE.bind('pauses', () => pipe(providers.states(clock.now()), TE.map(pausesAmong))),
  )
  return async () => {
    let figures = NOTHING_DONE
    const answers: Array<AnswerCount> = []
    const setAside: Array<SetAside> = []
    for (;;) {
      const done = await once()
      if (E.isLeft(done)) return done
      const { reviewed, backlog, pauses } = done.right
      figures = sum(figures, figuresOf(reviewed))
      answers.push(...reviewed.answers)
      setAside.push(...reviewed.setAside)
      if (backlog.claimed === 0 || isStopping())
        return E.right({ figures, answers, setAside, backlog, pauses })
      await timer.wait(PAUSE)()
    }
  }
}

const setAsideLine = ({ notificationId, devices, cause }: SetAside): string =>
  `could not be recorded, counted as failed: ${devices} devices of notification ${notificationId}: ${messageOf(cause)}`

/** The outcome in lines for a person. */
const linesOf = ({
  figures,
  answers,
  setAside,
  backlog: { sending, nextRetry },
  pauses,
}: Outcome): ReadonlyArray<string> => {
  const { started, again, held, ...ended } = figures
  const counts = Object.entries(ended).map(([outcome, count]) => `${count} ${outcome}`)
  return [
    `started: ${started}`,
    `devices: ${counts.join(', ')}`,
    `to be tried again: ${again}`,
    ...answers.map(({ provider, result, reason, count }) => `${provider} ${result} ${reason}: ${count}`),
    ...setAside.map(setAsideLine),
    ...(held === 0 ? [] : [`held for a paused provider: ${held}`]),
    ...(sending === 0 ? [] : [`still being sent: ${sending}`]),
    ...pauses.map(({ provider, reason }) => `${provider} is paused: ${reason} (almoner push status)`),
    ...(O.isNone(nextRetry) ? [] : [`next retry: ${toRfc3339(nextRetry.value)}`]),
  ]
}

/** Devices count as delivered once their lines are written down, which must not pass for pushes. */
const notSent = (push: PushWay): ReadonlyArray<string> => {
  const note = unsentNote(push)
  return note === undefined ? [] : [`ALMONER_PUSH=${push.kind}: ${note}`]
}

const printout = (outcome: Outcome, push: PushWay): Printout => {
  const { sending, nextRetry } = outcome.backlog
  const next = O.isSome(nextRetry) ? toRfc3339(nextRetry.value) : ''
  const paused = outcome.pauses.map(pauseDocument)
  return {
    text: [...linesOf(outcome), ...notSent(push)].join('\n'),
    json: {
      via: push.kind,
      ...outcome.figures,
      answers: outcome.answers,
      setAside: outcome.setAside.map(({ notificationId, devices }) => ({ notificationId, devices })),
      sending,
      nextRetry: next,
      paused,
    },
  }
}

/** One that is on its way, until there is nothing left to do; told to stop, it ends when what it has begun is written down. */
const review = ({ settings, policy, ports }: Sending): TE.TaskEither<Failure, Printout> =>
  interruptible((isStopping) =>
    pipe(
      reviewAll(
        ports,
        makeReview(
          ports,
          policy,
        )({
          window: settings.pushWindow,
          isStopping,
          elsewhere: providersElsewhere(ports),
        }),
        isStopping,
      ),
      TE.mapLeft(notAvailable('the database')),
      TE.flatMap((outcome) =>
        isStopping()
          ? TE.left(failed(`stopped early; the next review goes on: ${linesOf(outcome).join('; ')}`))
          : TE.right(printout(outcome, settings.push)),
      ),
    ),
  )

/** Fails while a node that runs sends pushes another way (G11): what goes into the log here would count as delivered there. */
const sameGateways = ({ settings, ports }: Sending): TE.TaskEither<Failure, void> =>
  pipe(
    otherGateways(ports, settings),
    TE.mapLeft(notAvailable('the database')),
    TE.flatMap((others) =>
      others.length === 0
        ? TE.right(undefined)
        : TE.left(failed(`${refusalText(settings, others)}; --force reviews all the same`)),
    ),
  )

/**
 * `notification review [--force]`: one review now (G4), with the window and the gateway of the settings; tells what it did, and shows how it goes where
 * somebody watches and pushes are no lines on the same screen.
 */
export const reviewNotifications = (terminal: Terminal, { force }: { readonly force?: true } = {}): Work =>
  onSending((sending) => async () => {
    const allowed = force ? E.right(undefined) : await sameGateways(sending)()
    if (E.isLeft(allowed)) return allowed
    const isQuiet = !terminal.isTerminal || sending.settings.push.kind === 'log'
    const { pushGateway, end } = watchReview(sending.ports, { ...terminal, isTerminal: !isQuiet })
    try {
      return await review({ ...sending, ports: { ...sending.ports, pushGateway } })()
    } finally {
      end()
    }
  })
