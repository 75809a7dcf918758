export { isOfService, pathFault } from '@almoner/adapters-node'
