import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { PersonalDataPorts } from '../personal-data/ports.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { JobLease } from './leases.ts'
import type { DeskCounts, Month, PublishedCount, Reach, Survey } from './model.ts'

/** What operations and the areas before it ask of the world. */
export interface OperationsPorts extends PersonalDataPorts {
  readonly nodes: Nodes
  readonly jobLeases: JobLeases
  readonly statistics: Statistics
}

/** A running server, as it describes itself in its heartbeat. */
export interface Node {
  /** New at each start. */
  readonly id: string
  /** Where it runs, for operators. */
  readonly name: string
  readonly lastSeenAt: Instant
  /** The settings that all nodes have to have in common, by name. None holds a secret. */
  readonly settings: Readonly<Record<string, string>>
}

/** The servers that run on a store. */
export interface Nodes {
  /** Stores the heartbeat of a node, and deletes nodes whose last heartbeat was before `forgotten`, or is ahead of this one (`isFarAhead`, I9). */
  beat(node: Node, forgotten: Instant): TaskEither<Unavailable, void>
  /** Returns the nodes with a heartbeat at this moment or later, by name and then id. */
  since(moment: Instant): TaskEither<Unavailable, ReadonlyArray<Node>>
  /** Forgets a node that has been stopped. An unknown one is no fault. */
  deregister(id: string): TaskEither<Unavailable, void>
}

/** The leases of jobs that one process at a time runs. No write changes what a cache holds. */
export interface JobLeases {
  /** Returns the lease of a job, `firstLease` before its first run. */
  find(job: string): TaskEither<Unavailable, JobLease>
  /** Replaces the lease of a job if the stored one is the one before: its step is one less. Otherwise it changes nothing and returns false. */
  replace(next: JobLease): TaskEither<Unavailable, boolean>
}

/** A service by numbers. */
export interface Statistics {
  /**
   * Counts a service, all at one moment, while writes go on. The deliveries are those of notifications that have not been deleted, by the
   * day on which their devices got an outcome, or on which the notification ended where the rows of its devices are deleted (G8).
   * @param days the beginnings of days, oldest first; each ends where the next one begins, the last does not end
   */
  survey(days: ReadonlyArray<Instant>): TaskEither<Unavailable, Survey>
  /** Counts the work that waits for content managers (`countDesk`). */
  desk(): TaskEither<Unavailable, DeskCounts>
  /**
   * Counts the Live items of months by language, at one moment (`countPublished`).
   * @param months as `lastMonths` returns them: the last one is only the end of the one before
   * @returns a count for each month but the last
   */
  published(months: ReadonlyArray<Month>): TaskEither<Unavailable, ReadonlyArray<PublishedCount>>
  /**
   * Counts at one moment the notifications that were started in each month, by language, with the outcomes of their devices; and devices by kind,
   * people by language, and by the labels that they follow. Deleted notifications do not count.
   * @param months as `lastMonths` returns them: the last one is only the end of the one before
   */
  reach(months: ReadonlyArray<Month>): TaskEither<Unavailable, Reach>
}
