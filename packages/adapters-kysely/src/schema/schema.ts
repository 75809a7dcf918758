import type {
  Age,
  CalendarDay,
  ChallengeId,
  ClientId,
  Currency,
  Email,
  FeedKind,
  ImageType,
  Instant,
  ItemDescription,
  ItemId,
  ItemTitle,
  LabelId,
  LabelName,
  Language,
  MediaName,
  OrganizationId,
  PortfolioImageName,
  PortfolioName,
  PortfolioText,
  SectorId,
  Shelf,
  Status,
  StorageId,
  SweepRefusal,
  TokenDigest,
  WebUrl,
} from '@almoner/domain'
import type { DeliveryTables } from './deliveries.table.ts'
import type { Flag } from './flag.ts'
import type { IdempotencyTables } from './idempotency-key.table.ts'
import type { NotificationTables } from './notification.table.ts'
import type { PeopleTables } from './people.table.ts'

export { type Flag, flag } from './flag.ts'

/** What the rows of both shelves share. Instants are epoch milliseconds. */
export interface ItemRow {
  readonly id: ItemId
  readonly status: Status
  readonly restricted: Flag
  readonly lang: Language
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly revision: number
}

/** Of each image at most one of name (stored here) and address (lives elsewhere) is given. */
export interface LibraryItemRow extends ItemRow {
  readonly link: WebUrl
  readonly publication_date: CalendarDay
  readonly cover_name: MediaName | null
  readonly cover_url: WebUrl | null
  readonly notification_name: MediaName | null
  readonly notification_url: WebUrl | null
}

export interface FeedItemRow extends ItemRow {
  readonly item_type: FeedKind
  readonly link: WebUrl | null
  readonly vlink: WebUrl | null
  readonly image_name: MediaName | null
}

/** A stored image that the service knows of (D5). */
export interface MediaRow {
  readonly name: MediaName
  readonly type: ImageType
  readonly bytes: number
}

/** An item's hold on a stored image. */
export interface MediaUseRow {
  readonly shelf: Shelf
  readonly item_id: ItemId
  readonly name: MediaName
}

/** `rank` is the place in the file that the labels were loaded from (E1). */
export interface LabelRow {
  readonly label_id: LabelId
  readonly en: LabelName
  readonly fr: LabelName
  readonly rank: number
}

export interface AttachmentRow {
  readonly item_id: ItemId
  readonly label_id: LabelId
}

/** Scopes and roles are names separated by spaces. */
export interface ClientRow {
  readonly id: ClientId
  readonly name: string
  readonly scopes: string
  readonly roles: string
  readonly email: Email | null
  readonly disabled: Flag
}

/** `seq` grows with each secret that a client is given. */
export interface ClientSecretRow {
  readonly client_id: ClientId
  readonly seq: number
  readonly hash: string
  readonly until: Instant | null
}

export interface AccessTokenRow {
  readonly digest: TokenDigest
  readonly client_id: ClientId
  readonly scopes: string
  readonly expires_at: Instant
}

/** The one row of the portfolio; none before anything is loaded. */
export interface PortfolioRow {
  readonly name: string
  readonly organizations: number
}

export interface SectorRow {
  readonly id: SectorId
  readonly en: PortfolioName | null
  readonly fr: PortfolioName | null
  readonly logo: PortfolioImageName
}

/** `folded_name` is the name without case and accents, which is what names are searched by (H2). */
export interface OrganizationRow {
  readonly id: OrganizationId
  readonly name: PortfolioName
  readonly folded_name: string
  readonly since: number
  readonly founded: number
  readonly website: WebUrl | null
  readonly logo: PortfolioImageName
  readonly visual: PortfolioImageName
}

export interface OrganizationSectorRow {
  readonly organization_id: OrganizationId
  readonly sector_id: SectorId
}

/** `rank` is the place among the texts of one organization and language (H3). */
export interface IntroductionRow {
  readonly organization_id: OrganizationId
  readonly lang: Language
  readonly rank: number
  readonly text: PortfolioText
}

export interface SummaryRow extends IntroductionRow {
  readonly highlight: PortfolioText | null
}

export interface ProgramRow extends Omit<IntroductionRow, 'text'> {
  readonly title: PortfolioName
  readonly description: PortfolioText
}

export interface ChallengeRow extends Omit<SummaryRow, 'rank'> {
  readonly id: ChallengeId
}

export interface DatasetRow {
  readonly organization_id: OrganizationId
  readonly year: number
  readonly beneficiaries: number
  readonly age_from: Age | null
  readonly age_to: Age | null
  readonly staff_headcount: number
  readonly budget: number
  readonly budget_currency: Currency
  readonly vr_video_url: WebUrl | null
}

/** A server that runs on the database; its settings are a JSON object of texts. */
export interface NodeRow {
  readonly id: string
  readonly name: string
  readonly told_at: Instant
  readonly settings: string
}

/** The one row of the image storage's identity (D6). */
export interface StorageIdentityRow {
  readonly one: number
  readonly id: StorageId | null
  readonly sweep_refusal: SweepRefusal | null
}

export interface MigrationRow {
  readonly name: string
  readonly checksum: string
  readonly applied_at: Instant
}

/** Every table, by name. Row types carry the domain's own types: only checked values were ever written. */
export interface Tables extends PeopleTables, NotificationTables, DeliveryTables, IdempotencyTables {
  readonly schema_migrations: MigrationRow
  readonly node: NodeRow
  readonly storage_identity: StorageIdentityRow
  readonly media: MediaRow
  readonly media_use: MediaUseRow
  readonly library_item: LibraryItemRow
  readonly feed_item: FeedItemRow
  readonly label: LabelRow
  readonly library_label: AttachmentRow
  readonly feed_label: AttachmentRow
  readonly client: ClientRow
  readonly client_secret: ClientSecretRow
  readonly access_token: AccessTokenRow
  readonly portfolio: PortfolioRow
  readonly portfolio_sector: SectorRow
  readonly portfolio_organization: OrganizationRow
  readonly portfolio_organization_sector: OrganizationSectorRow
  readonly portfolio_introduction: IntroductionRow
  readonly portfolio_summary: SummaryRow
  readonly portfolio_program: ProgramRow
  readonly portfolio_challenge: ChallengeRow
  readonly portfolio_dataset: DatasetRow
}
