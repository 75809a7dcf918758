export { stopWithLauncher } from '@almoner/adapters-node'
