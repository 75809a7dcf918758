export { type Apns, type ApnsOptions, type ApnsRequest, openApns } from './apns/open-apns.ts'
export type { TokenUpdates } from './apns/provider-tokens.ts'
export { type ApnsReason, apnsError, apnsGone, REASONS } from './apns/reasons.ts'
export { type ApnsKey, makeApnsKey } from './credentials/apns-key.ts'
export type { ServiceAccount } from './credentials/service-account.ts'
export { makeVapidKeys, type VapidKeys } from './credentials/vapid-keys.ts'
export {
  badField,
  badGateway,
  type FcmErrorCode,
  fcmError,
  messageTooBig,
  permissionDenied,
  unauthenticated,
} from './fcm/answers.ts'
export { type Fcm, type FcmOptions, type FcmRequest, openFcm } from './fcm/open-fcm.ts'
export { oauthError, type TokenRequest } from './fcm/token-endpoint.ts'
export { cut, goAway, reply, replyJson, reset, type ScriptedResponse } from './server/answer.ts'
export { type ConnectProxy, openConnectProxy } from './server/connect-proxy.ts'
export { type Deferred, deferred } from './server/deferred.ts'
export type { Counting, Endpoint, Read } from './server/endpoint.ts'
export { type Front, openFront } from './server/front.ts'
export type { Listening, Loopback } from './server/listen.ts'
export type { Script, Scripted } from './server/script.ts'
export { type Authority, type Certificate, makeAuthority } from './tls/authority.ts'
export { redirect, webPushFault, webPushGone, webPushTooMany } from './web-push/answers.ts'
export {
  openWebPush,
  type WebPush,
  type WebPushOptions,
  type WebPushRequest,
} from './web-push/open-web-push.ts'
export type { Subscription } from './web-push/subscriptions.ts'
