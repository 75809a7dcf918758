/**
 * Pushes by Firebase Cloud Messaging.
 * @module @almoner/adapters-push/fcm
 */

export type { HttpsProxy } from '../connections.ts'
export { type FcmCredentials, parseServiceAccount } from './access-tokens.ts'
export { type FcmGateway, type FcmOptions, openFcm } from './open-fcm.ts'
