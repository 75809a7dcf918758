import type { Migration } from './migration.ts'

/**
 * Adds digests of people whose erasure left remains in the files of the database (L1), and how long tokens and one-time secrets were to live, in
 * milliseconds. Those from before have none.
 */
export const lives: Migration = {
  name: '0040-lives',
  statements: ({ text, integer, keyedOptions }) => [
    `create table unfinished_erasure (digest ${text} not null primary key) ${keyedOptions}`,
    `alter table access_token add column life ${integer}`,
    `alter table one_time_secret add column life ${integer}`,
  ],
}
