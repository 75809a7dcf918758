import type { Migration } from './migration.ts'

/** The identity that the database shares with its image storage, and why the latest sweep of it stopped (D6). */
export const storageIdentity: Migration = {
  name: '0012-storage-identity',
  statements: ({ text, integer, keyedOptions }) => [
    `create table storage_identity (
      one ${integer} not null primary key check (one = 1),
      id ${text},
      sweep_refusal ${text}
    ) ${keyedOptions}`,
  ],
}
