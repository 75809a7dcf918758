import type { Option } from 'fp-ts/lib/Option.js'
import type { WebUrl } from '../values/addresses.ts'
import type { OrganizationId } from './ids.ts'
import type { Currency } from './numbers.ts'
import type { Age } from './text.ts'

/** An organization's figures of one year. */
export interface Dataset {
  readonly organization: OrganizationId
  readonly year: number
  readonly beneficiaries: number
  readonly ageFrom: Option<Age>
  readonly ageTo: Option<Age>
  readonly staffHeadcount: number
  /** In whole units of the currency. */
  readonly budget: number
  readonly budgetCurrency: Currency
  readonly vrVideoUrl: Option<WebUrl>
}
