import type { Ports, Unavailable } from '@almoner/domain'
import type { SweepRefusal } from '@almoner/domain/media'
import { liveNodes, type SweepStopped } from '@almoner/domain/operations'
import type { Provider } from '@almoner/domain/people'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { JobEvents } from '../composition/node.ts'
import { SETTINGS, type Settings, sharedSettings } from '../config/definitions.ts'
import { pushWay } from '../config/push.ts'

/** Why a sweep stops, and the command that fixes it (D6). */
export const SWEEP_REFUSALS: Readonly<Record<SweepRefusal, { readonly why: string; readonly fix: string }>> =
  {
    'other-storage': {
      why: 'the image storage belongs to another database',
      fix: 'check ALMONER_DATABASE and ALMONER_MEDIA; almoner doctor says whether almoner media adopt is right',
    },
    'no-references': {
      why: 'the database references no image, but the storage holds some',
      fix: 'check ALMONER_DATABASE and ALMONER_MEDIA; to delete the images all the same, run: almoner media sweep --confirm',
    },
    'too-many-orphans': {
      why: 'more than a fifth of the images would be deleted',
      fix: 'check ALMONER_DATABASE and ALMONER_MEDIA; to delete them all the same, run: almoner media sweep --confirm',
    },
  }

/** Describes a sweep that stopped: the reason with its numbers, and the fix. */
export const sweepStoppedText = ({ refusal, counts }: SweepStopped): string => {
  const { why, fix } = SWEEP_REFUSALS[refusal]
  const numbers = O.isNone(counts)
    ? ''
    : ` (${counts.value.uploads.orphans} of ${counts.value.uploads.files} uploads, ${counts.value.portfolio.orphans} of ${counts.value.portfolio.files} portfolio images)`
  return `image sweep stopped, nothing was deleted: ${why}${numbers}; ${fix}`
}

/** Called after each run of a job. */
type OnJob = (job: string, failed: boolean) => void

/** Logs the runs of jobs, and has them counted. */
export const jobLog = (logger: Logger, onJob: OnJob = () => {}): JobEvents => ({
  done: ({ name, note }, result) => {
    onJob(name, false)
    const counts = typeof result === 'number' ? { count: result } : result
    const level = Object.values(counts).some((count) => count > 0) ? 'info' : 'debug'
    logger[level]({ job: name, ...counts, ...(note && { note }) }, 'job done')
  },
  failed: ({ name }, failure) => {
    onJob(name, true)
    if ('refusal' in failure) logger.error({ job: name, reason: failure.refusal }, sweepStoppedText(failure))
    else logger.error({ job: name, err: failure.cause }, 'job failed')
  },
  clockSet: (step) => logger.warn({ milliseconds: step }, 'the clock was set'),
})

const { name: PUSH } = SETTINGS.push

/** Running nodes with their ALMONER_PUSH. */
type Gateways = ReadonlyArray<{ readonly name: string; readonly push: string }>

type NodesNeeds = Pick<Ports, 'nodes' | 'clock'>

/** Returns the running nodes whose heartbeat names another ALMONER_PUSH than these settings (G11). Unavailable when the store fails. */
export const otherGateways = (ports: NodesNeeds, settings: Settings): TE.TaskEither<Unavailable, Gateways> =>
  pipe(
    liveNodes(ports),
    TE.map((nodes) =>
      nodes.flatMap(({ name, settings: theirs }) => {
        const push = theirs[PUSH]
        return push === undefined || push === sharedSettings(settings)[PUSH] ? [] : [{ name, push }]
      }),
    ),
  )

/** Returns the line that says why a process does not review (G11). */
export const refusalText = (settings: Settings, others: Gateways): string => {
  const theirs = others.map(({ name, push }) => `${push} at ${name}`).join(', ')
  return `no review: ${PUSH} is ${sharedSettings(settings)[PUSH]} here and ${theirs}; give all nodes the same. A node that was killed counts for 3 minutes`
}

/** Returns the providers that running nodes send by: devices of a provider that is missing here are left to them. */
export const providersElsewhere = (ports: NodesNeeds): TE.TaskEither<Unavailable, ReadonlySet<Provider>> =>
  pipe(
    liveNodes(ports),
    TE.map((nodes) => {
      const ways = nodes.map(({ settings }) => pushWay(settings[PUSH] ?? ''))
      return new Set(
        ways.flatMap((way) => (E.isRight(way) && way.right.kind === 'providers' ? way.right.providers : [])),
      )
    }),
  )
