import type { Counted, Figures } from '@almoner/adapters-http'
import type { FailedAttempts } from '@almoner/domain'
import type { Duty } from '../serving.ts'

/** A wrong credential, as one process tells the others (A8). */
export type Failure = Parameters<FailedAttempts['add']>

/** What a worker has to know to begin. */
export interface Beginning {
  /** Which of the workers it is: 1 and up. One that takes another's place takes its number. */
  readonly number: number
  readonly port: number
  /** The wrong credentials of the last minute. */
  readonly failures: ReadonlyArray<Failure>
}

/** What a worker says to the primary. */
export interface WorkerTalk {
  readonly tells: {
    /** It takes requests. */
    readonly ready: null
    readonly failure: Failure
    /** Its figures when it ends. */
    readonly lastFigures: Figures
  }
  readonly asks: {
    readonly beginning: { readonly question: null; readonly answer: Beginning }
    /** One more request of a key. */
    readonly count: { readonly question: string; readonly answer: Counted }
    /** The figures of all. */
    readonly allFigures: { readonly question: null; readonly answer: string }
  }
}

/** What the primary says to a worker. */
export interface PrimaryTalk {
  readonly tells: {
    readonly work: Duty
    /** Finish what runs, within the time for that, and end. */
    readonly stop: null
    readonly failure: Failure
  }
  readonly asks: {
    readonly figures: { readonly question: null; readonly answer: Figures }
    /**
     * Another worker has taken its place: it ends when its last connection does. It answers when it takes no connections any more and
     * has let go of its claims.
     */
    readonly handOver: { readonly question: null; readonly answer: null }
  }
}
