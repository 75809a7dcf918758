import type { Migration } from './migration.ts'

/** The changes of each transaction, for processes to which its signal was not sent (I8). */
export const signals: Migration = {
  name: '0021-signals',
  statements: ({ signalTable }) => signalTable,
}
