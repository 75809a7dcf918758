import type { Migration } from './migration.ts'

/** PostgreSQL deletes no rows of a published table without a key, as where changes are captured or an upgrade replicates (I10). */
export const portfolioKey: Migration = {
  name: '0036-portfolio-key',
  statements: ({ primaryKey }) => primaryKey('portfolio', 'name'),
}
