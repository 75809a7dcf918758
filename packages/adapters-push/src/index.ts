export * from './log-gateway.ts'
