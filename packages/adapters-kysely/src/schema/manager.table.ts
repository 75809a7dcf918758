import type { Email, Instant } from '@almoner/domain'
import type { Duty, TokenDigest } from '@almoner/domain/access'
import type { ContentType } from '@almoner/domain/history'
import type {
  ManagerName,
  PasskeyId,
  PasskeyName,
  PasswordHash,
  PreviewedText,
  TotpSecret,
} from '@almoner/domain/managers'
import type { SecretPurpose } from '@almoner/domain/ports'
import type { ItemId, Language, TimeZone } from '@almoner/domain/values'
import type { Flag } from './columns.ts'

export interface ManagerRow {
  readonly email: Email
  readonly name: ManagerName
  readonly lang: Language
  readonly duty: Duty
  readonly disabled: Flag
  readonly time_zone: TimeZone | null
}

export interface ManagerSessionRow {
  readonly digest: TokenDigest
  readonly email: Email
  readonly opened_at: Instant
  readonly last_seen_at: Instant
  readonly idle_ends_at: Instant
  readonly ends_at: Instant
  readonly confirmed_at: Instant
  readonly browser: string
}

export interface OneTimeSecretRow {
  readonly digest: TokenDigest
  readonly purpose: SecretPurpose
  readonly email: Email | null
  readonly expires_at: Instant
  /** Milliseconds from its issue to its end; null if an earlier version issued it. */
  readonly life: number | null
}

export interface PasskeyRow {
  readonly id: PasskeyId
  readonly email: Email
  readonly name: PasskeyName
  readonly public_key: string
  readonly sign_count: number
  readonly created_at: Instant
  readonly last_used_at: Instant | null
}

export interface ManagerIdentityRow {
  readonly email: Email
  readonly issuer: string
  readonly subject: string
  readonly linked_at: Instant
  readonly last_used_at: Instant
}

export interface ManagerPasswordRow {
  readonly email: Email
  readonly hash: PasswordHash
  readonly totp_secret: TotpSecret
  readonly used_step: number
  readonly changed_at: Instant
  readonly last_used_at: Instant | null
}

interface RecoveryCodeRow {
  readonly digest: TokenDigest
  readonly email: Email
}

interface WaitingFeedRow {
  readonly email: Email
  readonly digest: TokenDigest
  readonly made_at: Instant
}

export interface PreviewTokenRow {
  readonly digest: TokenDigest
  readonly session: TokenDigest
  readonly content_type: ContentType
  readonly item_id: ItemId
  readonly text: PreviewedText
  readonly expires_at: Instant
  readonly life: number
}

/** `moments` is a JSON array of instants. */
interface WrongCodeRow {
  readonly email: Email
  readonly moments: string
}

/** The tables of managers and their sessions (M2, M4). */
export interface ManagerTables {
  readonly manager: ManagerRow
  readonly manager_session: ManagerSessionRow
  readonly one_time_secret: OneTimeSecretRow
  readonly passkey: PasskeyRow
  readonly manager_identity: ManagerIdentityRow
  readonly manager_password: ManagerPasswordRow
  readonly recovery_code: RecoveryCodeRow
  readonly wrong_code: WrongCodeRow
  readonly waiting_feed: WaitingFeedRow
  readonly preview_token: PreviewTokenRow
}
