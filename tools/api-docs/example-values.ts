import type { Almoner } from '@almoner/domain'
import type { Caller, Client } from '@almoner/domain/access'
import {
  CheckFeedItem,
  CheckLibraryItem,
  CreateFeedItem,
  CreateLibraryItem,
  type FeedItem,
  type Label,
  type LibraryItem,
  type OneProposal,
  type ProposeChange,
  UpdateFeedItem,
  UpdateLibraryItem,
} from '@almoner/domain/content'
import type {
  ActiveSession,
  CopyKey,
  IdentityProvider,
  Manager,
  Passkey,
  PasskeyChecker,
  Password,
  PasswordChecker,
  TotpSecret,
} from '@almoner/domain/managers'
import type { MediaName, PortfolioImageName } from '@almoner/domain/media'
import { ChangeNotification, CreateNotification, type Notification } from '@almoner/domain/notifications'
import { AttachDevice, type Device } from '@almoner/domain/people'
import type {
  OpenedPortfolio,
  Organization,
  PortfolioMaterial,
  ReviewedPlan,
} from '@almoner/domain/portfolio'
import { type Email, type LocalDate, parseInput } from '@almoner/domain/values'
import { none, some } from 'fp-ts/lib/Option.js'

// The names that the examples of docs/use-cases.md use. Never run: the examples are type-checked below this text.

export {
  AttachDevice,
  ChangeNotification,
  CheckFeedItem,
  CheckLibraryItem,
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
export declare const imageName: MediaName
export declare const counterpart: LibraryItem
export declare const proposal: OneProposal & ProposeChange & { readonly image: 'cover' }
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
