import type { Instant } from '@almoner/domain'
import type { StorageId, SweepRefusal } from '@almoner/domain/media'
import type { NotedFailures, NotedRequests } from '@almoner/domain/ports'

/** A server that runs on the database; its settings are a JSON object of texts. */
export interface NodeRow {
  readonly id: string
  readonly name: string
  readonly last_seen_at: Instant
  readonly settings: string
}

/** The lease of a job that one process at a time runs. */
interface JobLeaseRow {
  readonly job: string
  readonly step: number
  readonly held_until: Instant | null
  readonly ran_at: Instant | null
}

/** The one row of the image storage's identity (D6). */
interface StorageIdentityRow {
  readonly one: number
  readonly id: StorageId | null
  readonly sweep_refusal: SweepRefusal | null
}

export interface MigrationRow {
  readonly name: string
  readonly checksum: string
  readonly applied_at: Instant
}

/** A person whose rows are erased, while remains of them are still in the files of a SQLite database (L1): the SHA-256 digest of the address. */
interface UnfinishedErasureRow {
  readonly digest: string
}

/** The tables that say nothing of content. */
export interface ServiceTables {
  readonly schema_migrations: MigrationRow
  readonly node: NodeRow
  readonly job_lease: JobLeaseRow
  readonly failed_attempt: NotedFailures
  readonly counted_request: NotedRequests
  readonly storage_identity: StorageIdentityRow
  readonly unfinished_erasure: UnfinishedErasureRow
}
