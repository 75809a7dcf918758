export {
  type HttpsProxy,
  isOfService,
  mayBePublic,
  pathFault,
  readHttpsProxy,
  serverTime,
} from '@almoner/adapters-node'
