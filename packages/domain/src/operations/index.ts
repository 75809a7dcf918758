/**
 * What operators watch and do: findings, figures, statistics, the desk and maintenance.
 * @module @almoner/domain/operations
 */

export * from './desk.ts'
export { liveNodes, makeShowFigures, ShowFigures } from './figures.ts'
export * from './findings.ts'
export * from './leases.ts'
export * from './maintenance.ts'
export * from './model.ts'
export * from './results.ts'
export * from './statistics.ts'
export * from './sweep.ts'
export * from './titles.ts'
export * from './waiting-feed.ts'
