import type { Migration } from './migration.ts'

/** The servers that run on the database, and the settings that they have to have in common, as JSON. */
export const nodes: Migration = {
  name: '0009-nodes',
  statements: ({ text, integer, keyedOptions }) => [
    `create table node (
      id ${text} not null primary key,
      name ${text} not null,
      told_at ${integer} not null,
      settings ${text} not null
    ) ${keyedOptions}`,
  ],
}
