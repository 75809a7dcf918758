export { NotReady, reasonsNotReady } from '@almoner/adapters-http'
