/** How much of a step is done. */
export interface Measure {
  readonly done: number
  readonly total: number
  readonly units: 'rows' | 'bytes'
}

/** Called often while an archive is written or read, with the name of the step. */
export type OnProgress = (step: string, measure?: Measure) => void
