export * from '@almoner/adapters-node/jobs'
