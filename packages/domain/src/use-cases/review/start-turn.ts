import type { PushMessage } from '../../notifications/message.ts'
import type { Portion, Reachable, Recipient, Turn } from '../../notifications/portion.ts'
import { destinationOf } from '../../people/destination.ts'
import type { Ports } from '../../ports/index.ts'
import { turnOf } from './turn-of.ts'

type Needs = 'pushGateway' | 'clock' | 'random'

/**
 * Serves one recipient, when its turn has come. Nothing is sent to who is gone, moved or unsubscribed (G4: skipped), after the end of the
 * notification's life, or where nobody knows how to (G7: failed).
 */
export const startTurn =
  (ports: Pick<Ports, Needs>, { claim, endsAt }: Portion, message: PushMessage) =>
  async (recipient: Recipient, reachable: Reachable | undefined): Promise<Turn> => {
    const { deviceId } = recipient
    if (reachable === undefined) return { deviceId, kind: 'ended', outcome: 'skipped' }
    const { token, kind, attachedAt } = reachable
    const destination = destinationOf(token, kind)
    if (destination === undefined || ports.clock.now() >= endsAt)
      return { deviceId, kind: 'ended', outcome: 'failed' }
    const { notificationId } = claim
    const push = { notificationId, deviceId, destination, message, attachedAt, endsAt }
    const result = await ports.pushGateway.send(push)()
    const [now, fraction] = [ports.clock.now(), ports.random.fraction()]
    return turnOf({ endsAt }, { recipient, result, attachedAt, now, fraction })
  }
