import { makePurgeDeliveries, makePurgeEndedNotifications, type Policy, type Ports } from '@almoner/domain'
import { type Chore, purgeAll } from './schedule.ts'

/**
 * What a server deletes every hour of notifications that ended (G8): per-device rows and, where the settings say so, the
 * notifications themselves. What these leave is cleared away with what other deleted notifications leave.
 */
export const retentionChores = (
  ports: Pick<Ports, 'retention' | 'clock'>,
  policy: Pick<Policy, 'deliveryDays' | 'notificationDays'>,
): ReadonlyArray<Chore> => [
  {
    name: 'purge deliveries',
    rule: '12 * * * *',
    atStart: false,
    work: purgeAll(makePurgeDeliveries(ports, policy)),
  },
  {
    name: 'purge ended notifications',
    rule: '14 * * * *',
    atStart: false,
    work: purgeAll(makePurgeEndedNotifications(ports, policy)),
  },
]
