import {
  type DeviceId,
  instant,
  later,
  makePreviewNotification,
  type NotificationId,
  type Push,
  type PushGateway,
  SECOND,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Printout, Work } from '../../cli/command.ts'
import { type Failure, failed } from '../../cli/failure.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { nodePorts } from '../../composition/store.ts'
import type { Settings } from '../../config/definitions.ts'
import { policyOf } from '../../config/policy.ts'
import { isCarried } from '../../config/push.ts'
import { type Outcome, outcomeDocument, outcomeLine } from './outcome.ts'
import { onPushes, onSending } from './ports.ts'
import { readTrial, type Trial } from './read-trial.ts'
import { sampleMessage } from './sample.ts'
import { whyNot } from './why-not.ts'

/** The arguments of `notification test`. */
export interface TestOptions {
  readonly device: string
  readonly id: string | undefined
  readonly asJson: boolean
}

type Said = Pick<Push, 'notificationId' | 'message'>
type SendIt = (gateway: PushGateway, said: Said) => TE.TaskEither<Failure, Printout>

/** A program gets a document, whatever came of the push; a person a line. */
const tellOf =
  ({ out }: Terminal, asJson: boolean) =>
  async (outcome: Outcome): Promise<E.Either<Failure, Printout>> => {
    const text = outcomeLine(outcome)
    if (outcome.outcome === 'delivered') return E.right({ text, json: outcome })
    if (asJson) await out(`${JSON.stringify(outcome)}\n`)
    return E.left(failed(text))
  }

/** Attached before anything that a provider may know of the device, so that nothing it says of that is out of date. */
const ATTACHED = { deviceId: 0 as DeviceId, attachedAt: instant(0) }

const sending =
  (settings: Settings, { destination }: Trial, tell: ReturnType<typeof tellOf>): SendIt =>
  (gateway, said) =>
  async () => {
    const endsAt = later(nodePorts().clock.now(), settings.notificationLife * SECOND)
    const result = await gateway.send({ ...ATTACHED, ...said, destination, endsAt })()
    return tell(outcomeDocument(destination.provider, settings.push, result))
  }

/** The notification as it would go out now. */
const ofNotification = (id: NotificationId, send: SendIt): Work =>
  onSending(({ ports, policy }) =>
    pipe(
      makePreviewNotification(ports, policy)(id),
      TE.mapLeft(whyNot),
      TE.flatMap(({ message }) => send(ports.pushGateway, { notificationId: id, message })),
    ),
  )

/** Needs no database. */
const ofSample = (send: SendIt): Work =>
  onPushes(({ gateway }) => (settings) => {
    const { ids, clock } = nodePorts()
    const notificationId = ids.nextNotificationId()
    const message = sampleMessage(notificationId, clock.now(), policyOf(settings).look)
    return send(gateway, { notificationId, message })
  })

/** `notification test --device TOKEN [ID]`: one push now, and what came of it. Nothing of it is written down anywhere. */
export const testNotification =
  ({ device, id, asJson }: TestOptions, terminal: Terminal): Work =>
  (settings) =>
    pipe(
      TE.fromEither(readTrial(settings, device, id)),
      TE.flatMap((trial) => {
        const { provider } = trial.destination
        if (!isCarried(settings.push, provider))
          return TE.left(failed(`${provider}: not sent: ALMONER_PUSH does not name ${provider}`))
        const send = sending(settings, trial, tellOf(terminal, asJson))
        return O.isSome(trial.id) ? ofNotification(trial.id.value, send)(settings) : ofSample(send)(settings)
      }),
    )
