// All names of the package, for its other folders and its tests. What embedders import is in index.ts and entries/.

export * from './almoner/index.ts'
export * from './entries/access.ts'
export * from './entries/desk.ts'
export * from './entries/feed.ts'
export * from './entries/history.ts'
export * from './entries/library.ts'
export * from './entries/notifications.ts'
export * from './entries/operations.ts'
export * from './entries/portfolio.ts'
export * from './entries/ports.ts'
export * from './entries/values.ts'
