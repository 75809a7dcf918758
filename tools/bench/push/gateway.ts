import type { PushGateway } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import { openApns } from '../../../packages/adapters-push/src/apns/index.ts'
import { openFcm } from '../../../packages/adapters-push/src/fcm/index.ts'
import { openWebPush } from '../../../packages/adapters-push/src/webpush/index.ts'
import { makeVapidKeys } from '../../../testing/push-providers/src/index.ts'
import type { ProviderPlace } from './provider.ts'

/** A gateway that can be closed. */
export interface OpenGateway extends PushGateway {
  close(): Promise<void>
}

/** Opens the gateway to a provider, as the server does. */
export const openGateway = (place: ProviderPlace): OpenGateway => {
  const { ca, origin } = place
  const clock = { now: () => instant(Date.now()) }
  switch (place.kind) {
    case 'fcm':
      return openFcm({ credentials: place.account, clock, url: origin, ca })
    case 'apns': {
      const { p8, keyId, teamId } = place.key
      return openApns({ key: p8, keyId, teamId, topic: place.topic, clock, url: origin, ca })
    }
    case 'webpush': {
      const vapid = { ...makeVapidKeys(), subject: 'mailto:push@example.org' }
      return openWebPush({ vapid, hosts: [new URL(origin).host], clock, ca })
    }
  }
}
