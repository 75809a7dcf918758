export {
  endOf,
  makeWorkerPool,
  stopWithLauncher,
  type WorkerHandle,
  type WorkerPool,
} from '@almoner/adapters-node'
