export * from './recognise.ts'
