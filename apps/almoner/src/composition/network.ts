export { type HttpsProxy, isOfService, mayBePublic, readHttpsProxy, serverTime } from '@almoner/adapters-node'
