import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, TimedAct } from '../access/acts.ts'
import { isUnavailable, NEVER_STOPPED, type StopSignal, type Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { ContentPolicy, ContentPorts } from './ports.ts'
import type { Proposal, ProposalId } from './proposals.ts'
import { type CarryingError, type PublishingPorts, proposalPublisher } from './publishing-proposals.ts'

/** Proposals that one run takes up at a time. */
const BATCH = 50

const BY_SCHEDULE: Act = { actor: { kind: 'schedule', id: '' }, action: 'publish-proposal' }

/** Returns the names of the fields that kept a proposal from being published (C16). */
const missingIn = (failure: Exclude<CarryingError, Unavailable>): ReadonlyArray<string> => {
  switch (failure._tag) {
    case 'PreconditionFailed':
      return ['revision']
    case 'HasCounterpart':
      return ['lang']
    case 'IllegalTransition':
      return ['status']
    case 'ImageMissing':
      return ['itemRelatedLink']
    case 'ProposalNotFound':
      return []
    default:
      return failure.errors.map(({ field }) => field)
  }
}

/** A moment of a proposal that came, and the fields that kept it from being published; none if it was. */
export interface ProposalMoment {
  readonly proposal: Proposal
  readonly missing: ReadonlyArray<string>
}

/** What a run of the proposals did. One that an error of the program or its row keeps from being written is set aside, with the error. */
export interface ProposalsRun {
  readonly carriedOut: ReadonlyArray<ProposalMoment>
  readonly setAside: ReadonlyArray<{ readonly proposal: Proposal; readonly cause: unknown }>
}

/** The proposals that a process has set aside. */
export type ProposalsSetAside = Set<ProposalId>

/** When an open proposal is published by itself. */
export interface ProposedMoment {
  readonly id: ProposalId
  readonly at: Instant
}

/** Returns the first proposals with a moment, leaving out the ones set aside. */
const upcoming = (
  { proposals }: Pick<ContentPorts, 'proposals'>,
  setAside: ProposalsSetAside,
  most: number,
): TE.TaskEither<Unavailable, ReadonlyArray<Proposal>> =>
  pipe(
    proposals.upcoming(most + setAside.size),
    TE.map((found) => found.filter(({ id }) => !setAside.has(id)).slice(0, most)),
  )

/** Returns the next moment of a proposal, which may have passed, so that the job can wake in time (C16, G9). */
export const nextProposal =
  (
    ports: Pick<ContentPorts, 'proposals'>,
    setAside: ProposalsSetAside = new Set(),
  ): TE.TaskEither<Unavailable, O.Option<ProposedMoment>> =>
  async () => {
    const found = await upcoming(ports, setAside, 1)()
    return E.map(([first]: ReadonlyArray<Proposal>) =>
      first === undefined ? O.none : O.map((at: Instant) => ({ id: first.id, at }))(first.publishAt),
    )(found)
  }

/**
 * Publishes the proposals whose moments have come, each in one transaction, in the order of time (C16). One whose item has changed since, or lacks what a
 * Live item needs, loses its moment and says why. Any number of processes may do so at once: one of them carries each out.
 * @param setAside gets the proposals that cannot be written, which are left out from then on
 */
export const makeRunProposals = (
  ports: PublishingPorts,
  policy: Pick<ContentPolicy, 'timeZone'>,
  setAside: ProposalsSetAside = new Set(),
) => {
  const carryOut = proposalPublisher(ports, policy)

  /** Publishes one proposal; none if another process, or a person, was faster. */
  const runOne = async (
    proposal: Proposal,
  ): Promise<E.Either<Unavailable, ReadonlyArray<ProposalMoment>>> => {
    const done = await carryOut(proposal, O.none, BY_SCHEDULE)()
    if (E.isRight(done)) return E.right([{ proposal, missing: [] }])
    if (isUnavailable(done.left)) return E.left(done.left)
    const missing = missingIn(done.left)
    if (missing.length === 0) return E.right([])
    const act: TimedAct = { ...BY_SCHEDULE, action: 'fail-schedule', at: ports.clock.now() }
    return E.map((isFailed: boolean) => (isFailed ? [{ proposal, missing }] : []))(
      await ports.proposals.fail(proposal, missing, act)(),
    )
  }

  /** Publishes one proposal, and sets it aside if that throws: it holds up no others. */
  const tryOne = async (proposal: Proposal): Promise<E.Either<Unavailable, ProposalsRun>> => {
    try {
      return E.map((carriedOut: ReadonlyArray<ProposalMoment>) => ({ carriedOut, setAside: [] }))(
        await runOne(proposal),
      )
    } catch (cause) {
      setAside.add(proposal.id)
      return E.right({ carriedOut: [], setAside: [{ proposal, cause }] })
    }
  }

  /** Publishes the first proposals that are due; none if none is. */
  const runFirst = async (): Promise<E.Either<Unavailable, ProposalsRun | 'none'>> => {
    const found = await upcoming(ports, setAside, BATCH)()
    if (E.isLeft(found)) return found
    const now = ports.clock.now()
    const due = found.right.filter(({ publishAt }) => O.isSome(publishAt) && publishAt.value <= now)
    let all = NOTHING
    for (const proposal of due) {
      const done = await tryOne(proposal)
      if (E.isLeft(done)) return done
      all = joined(all, done.right)
    }
    return E.right(due.length === 0 ? 'none' : all)
  }

  const run = async (signal: StopSignal): Promise<E.Either<Unavailable, ProposalsRun>> => {
    let all = NOTHING
    while (!signal.aborted) {
      const some = await runFirst()
      if (E.isLeft(some)) return some
      if (some.right === 'none') break
      all = joined(all, some.right)
    }
    return E.right(all)
  }

  return (signal: StopSignal = NEVER_STOPPED): TE.TaskEither<Unavailable, ProposalsRun> =>
    () =>
      run(signal)
}

const NOTHING: ProposalsRun = { carriedOut: [], setAside: [] }

const joined = (one: ProposalsRun, other: ProposalsRun): ProposalsRun => ({
  carriedOut: [...one.carriedOut, ...other.carriedOut],
  setAside: [...one.setAside, ...other.setAside],
})
