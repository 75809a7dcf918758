import * as O from 'fp-ts/lib/Option.js'
import type { HealthFinding } from './finding.ts'

/** The adapters behind the port groups, by their names. */
export interface AdapterNames {
  /** Such as `SQLite`. */
  readonly database: string
  /** Such as `folder`. */
  readonly storage: string
  /** The ways that pushes go: providers, or `log` or `file` where no device gets any. */
  readonly push: ReadonlyArray<string>
}

/** What a program measures of itself. What it cannot measure is none. */
export interface HostFigures {
  /** Requests that this machine has answered since its start. */
  readonly requests: O.Option<number>
  /** Operations of the database since the start. */
  readonly operations: O.Option<number>
  /** Free bytes where images are stored. */
  readonly freeBytes: O.Option<number>
}

/** What only the program around the domain knows: its settings, its machine and its metrics. */
export interface Host {
  readonly adapters: AdapterNames
  /** Examines settings and machine. Changes nothing. */
  readonly examine: () => Promise<ReadonlyArray<HealthFinding>>
  /** Measures the program and its machine. */
  readonly measure: () => Promise<HostFigures>
}

const NOT_MEASURED: HostFigures = { requests: O.none, operations: O.none, freeBytes: O.none }

/** A program that says nothing of itself. */
export const SILENT_HOST: Host = {
  adapters: { database: '', storage: '', push: [] },
  examine: async () => [],
  measure: async () => NOT_MEASURED,
}
