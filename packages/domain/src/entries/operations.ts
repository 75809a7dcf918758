/**
 * What operators watch and do: findings of checks, providers, statistics, live figures and the audit.
 * @module @almoner/domain/operations
 */

export * from '../almoner/operations.ts'
export * from '../delivery/providers.ts'
export * from '../history/use-cases.ts'
export * from '../operations/figures.ts'
export * from '../operations/figures.ts'
export * from '../operations/findings.ts'
export * from '../operations/findings.ts'
export * from '../operations/findings.ts'
export * from '../operations/model.ts'
export * from '../operations/model.ts'
export * from '../operations/model.ts'
export * from '../operations/statistics.ts'
export * from '../operations/statistics.ts'
