import type {
  ActiveSession,
  IdentityProvider,
  Manager,
  Passkey,
  PasskeyChecker,
  Password,
  PasswordChecker,
  TotpSecret,
} from '@almoner/domain/access'
import { none, some } from 'fp-ts/lib/Option.js'
import {
  type Almoner,
  AttachDevice,
  type Caller,
  type Client,
  type CopyKey,
  CreateFeedItem,
  CreateLibraryItem,
  CreateNotification,
  type Device,
  type Email,
  type FeedItem,
  type Label,
  type LibraryItem,
  type LocalDate,
  type Notification,
  type OpenedPortfolio,
  type Organization,
  type PortfolioImageName,
  type PortfolioMaterial,
  parseInput,
  type ReviewedPlan,
  UpdateFeedItem,
  UpdateLibraryItem,
} from '../../packages/domain/src/all.ts'

// The names that the examples in the doc comments of the facade use. Never run: the examples are type-checked below this text.

export {
  AttachDevice,
  CreateFeedItem,
  CreateLibraryItem,
  CreateNotification,
  none,
  parseInput,
  some,
  UpdateFeedItem,
  UpdateLibraryItem,
}

export declare const almoner: Almoner
export declare const caller: Caller
export declare const donor: Caller
export declare const manager: Caller
export declare const userManager: Caller
export declare const operator: Caller
export declare const item: FeedItem
export declare const counterpart: LibraryItem
export declare const post: Readonly<Record<string, string>>
export declare const publication: Readonly<Record<string, string>>
export declare const bytes: Uint8Array
export declare const label: Label
export declare const today: LocalDate
export declare const email: Email
export declare const device: Device
export declare const notification: Notification
export declare const stop: AbortController
export declare const organization: Organization<PortfolioImageName>
export declare const files: OpenedPortfolio
export declare const plan: ReviewedPlan
export declare const draft: PortfolioMaterial['draft']
export declare const read: PortfolioMaterial['read']
export declare const report: PortfolioMaterial['report']
export declare const client: Client
export declare const secret: string
export declare const accessToken: string
export declare const editor: Manager
export declare const activeSession: ActiveSession
export declare const passkey: Passkey
export declare const passkeyChecker: PasskeyChecker
export declare const identityProvider: IdentityProvider
export declare const password: Password
export declare const passwordChecker: PasswordChecker
export declare const totpSecret: TotpSecret
export declare const response: string
export declare const copyKey: CopyKey
