import type { Ports, Unavailable } from '@almoner/domain'
import { liveNodes } from '@almoner/domain/operations'
import type { Provider } from '@almoner/domain/people'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { SETTINGS, type Settings } from '../config/definitions.ts'
import { pushWay } from '../config/push.ts'
import { sharedSettings } from '../config/shared-by-nodes.ts'

const { name: PUSH } = SETTINGS.push

/** Running nodes with their ALMONER_PUSH. */
type Gateways = ReadonlyArray<{ readonly name: string; readonly push: string }>

type Needs = Pick<Ports, 'nodes' | 'clock'>

/** Returns the running nodes whose heartbeat names another ALMONER_PUSH than these settings (G11). Unavailable when the store fails. */
export const otherGateways = (ports: Needs, settings: Settings): TE.TaskEither<Unavailable, Gateways> =>
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
export const providersElsewhere = (ports: Needs): TE.TaskEither<Unavailable, ReadonlySet<Provider>> =>
  pipe(
    liveNodes(ports),
    TE.map((nodes) => {
      const ways = nodes.map(({ settings }) => pushWay(settings[PUSH] ?? ''))
      return new Set(
        ways.flatMap((way) => (E.isRight(way) && way.right.kind === 'providers' ? way.right.providers : [])),
      )
    }),
  )
