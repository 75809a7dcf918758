export { type HttpsProxy, mayBePublic, readHttpsProxy, serverTime } from '@almoner/adapters-node'
