import type { AuditTables } from './audit.table.ts'
import type { AuthorTables } from './author.table.ts'
import type { ChangeTables } from './change.table.ts'
import type { ClientTables } from './client.table.ts'
import type { DeliveryTables } from './delivery.table.ts'
import type { DeviceTables } from './device.table.ts'
import type { ItemTables, LinkTables } from './item.table.ts'
import type { LabelTables } from './label.table.ts'
import type { ManagerTables } from './manager.table.ts'
import type { MediaTables } from './media.table.ts'
import type { NotificationTables } from './notification.table.ts'
import type { PortfolioTables } from './portfolio.table.ts'
import type { ProposalTables } from './proposal.table.ts'
import type { ServiceTables } from './service.table.ts'
import type { TranslationTables } from './translation.table.ts'
import type { WorkingCopyTables } from './working-copy.table.ts'

/** Every table, by name. Row types carry the domain's own types: only checked values were ever written. */
export interface Tables
  extends ServiceTables,
    MediaTables,
    ItemTables,
    LinkTables,
    ProposalTables,
    AuthorTables,
    AuditTables,
    ChangeTables,
    LabelTables,
    TranslationTables,
    ClientTables,
    ManagerTables,
    WorkingCopyTables,
    DeviceTables,
    NotificationTables,
    DeliveryTables,
    PortfolioTables {}
