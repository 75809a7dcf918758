import { items } from './0001-items.ts'
import { labels } from './0002-labels.ts'
import { clients } from './0003-clients.ts'
import { people } from './0004-people.ts'
import { notifications } from './0005-notifications.ts'
import { portfolio } from './0006-portfolio.ts'
import { providers } from './0007-providers.ts'
import { ranks } from './0008-ranks.ts'
import { nodes } from './0009-nodes.ts'
import { rankSteps } from './0010-rank-steps.ts'
import { wantedRanks } from './0011-wanted-ranks.ts'
import { storageIdentity } from './0012-storage-identity.ts'
import { idempotencyKeys } from './0013-idempotency-keys.ts'
import { retention } from './0014-retention.ts'
import { unroutableDevices } from './0015-unroutable-devices.ts'
import { openValues } from './0016-open-values.ts'
import { noRanks } from './0017-no-ranks.ts'
import type { Migration } from './migration.ts'

/** The schema's whole history, in order. */
export const MIGRATIONS: ReadonlyArray<Migration> = [
  items,
  labels,
  clients,
  people,
  notifications,
  portfolio,
  providers,
  ranks,
  nodes,
  rankSteps,
  wantedRanks,
  storageIdentity,
  idempotencyKeys,
  retention,
  unroutableDevices,
  openValues,
  noRanks,
]
