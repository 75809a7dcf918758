/**
 * Pushes by Firebase Cloud Messaging.
 * @module @almoner/adapters-push/fcm
 */

export type { HttpsProxy } from '../connections.ts'
export {
  type FcmCredentials,
  type FcmGateway,
  type FcmOptions,
  openFcm,
  parseServiceAccount,
} from './open-fcm.ts'
