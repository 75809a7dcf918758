/** Another process has the database open. */
export interface InUse {
  readonly _tag: 'InUse'
}

/** The one value of {@link InUse}. */
export const IN_USE: InUse = { _tag: 'InUse' }
