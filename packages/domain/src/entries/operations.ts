/**
 * What operators watch and do: findings of checks, providers, statistics, live figures and the audit.
 * @module @almoner/domain/operations
 */

export * from '../almoner/operations.ts'
export * from '../delivery/providers.ts'
export * from '../history/use-cases.ts'
export * from '../operations/differing-settings.ts'
export * from '../operations/figures.ts'
export * from '../operations/finding.ts'
export * from '../operations/host.ts'
export * from '../statistics/report.ts'
export * from '../use-cases/operations/list-findings.ts'
export * from '../use-cases/operations/live-nodes.ts'
export * from '../use-cases/operations/show-figures.ts'
export * from '../use-cases/operations/show-statistics.ts'
export * from '../use-cases/operations/store-checks.ts'
