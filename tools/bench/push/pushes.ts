import { createHash } from 'node:crypto'
import type { Push, PushMessage } from '@almoner/domain/notifications'
import { type Destination, type DeviceId, recognise } from '@almoner/domain/people'
import { instant, type NotificationId } from '@almoner/domain/values'
import type { ProviderPlace } from './provider.ts'

const DAY = 86_400_000
const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const LIBRARY = 'https://push.example.org/static'

/** A realistic notification about an item: some 600 bytes. */
export const MESSAGE: PushMessage = {
  title: 'The new wells of Tombouctou are open',
  subtitle: 'Eleven villages drink clean water',
  body: 'Since Monday the last two wells give water. See the first photos, and read what the engineers say.',
  data: {
    notificationId: ID,
    lang: 'en',
    resourceType: 'Library',
    resourceId: '01890a5d-ac96-7aaa-bcce-b302099a8057',
    actionUrl: 'https://www.example.org/library/wells-of-tombouctou',
    visualUrl: `${LIBRARY}/media/5e8d1c2b7a964f31a0c1.jpg`,
    iconUrl: `${LIBRARY}/icon.png`,
    color: '#1F4E79',
  },
}

const digest = (n: number) => createHash('sha256').update(String(n))

/** The token of a provider's n-th device. */
export const tokenOf = (place: ProviderPlace, n: number): string => {
  switch (place.kind) {
    case 'fcm':
      return `${digest(n).digest('base64url').slice(0, 22)}:APA91b${'x'.repeat(134)}`
    case 'apns':
      return digest(n).digest('hex')
    case 'webpush': {
      const { endpoint, keys } = place.subscriptions[n % place.subscriptions.length] ?? {}
      return JSON.stringify({ endpoint: `${endpoint}?${n}`, keys })
    }
  }
}

/** Devices that pushes alternate between: too many for a cache by device. */
export const DEVICES = 2000

/** Makes the n-th push of one notification. */
export const makePushes = (place: ProviderPlace): ((n: number) => Push) => {
  const now = instant(Date.now())
  const common = {
    notificationId: ID as NotificationId,
    message: MESSAGE,
    attachedAt: now,
    endsAt: instant(now + DAY),
  }
  const destinations: ReadonlyArray<Destination | undefined> = Array.from({ length: DEVICES }, (_, n) =>
    recognise(tokenOf(place, n)),
  )
  return (n) => {
    const destination = destinations[n % DEVICES]
    if (destination === undefined) throw new TypeError('a token of no known form')
    return { ...common, deviceId: n as DeviceId, destination }
  }
}
