import type { Messages } from './en.ts'
import { app } from './fr/app.ts'
import { bulk } from './fr/bulk.ts'
import { charts } from './fr/charts.ts'
import { clients } from './fr/clients.ts'
import { editor } from './fr/editor.ts'
import { findings } from './fr/findings.ts'
import { items } from './fr/items.ts'
import { managers } from './fr/managers.ts'
import { notifications } from './fr/notifications.ts'
import { operations } from './fr/operations.ts'
import { palette } from './fr/palette.ts'
import { passwords } from './fr/passwords.ts'
import { people } from './fr/people.ts'
import { portfolio } from './fr/portfolio.ts'
import { portfolioLoad } from './fr/portfolio-load.ts'

/** The French words of the console. */
export const fr: Messages = {
  ...app,
  ...items,
  ...editor,
  ...charts,
  ...notifications,
  ...clients,
  ...passwords,
  ...people,
  ...portfolio,
  ...portfolioLoad,
  ...bulk,
  ...palette,
  ...operations,
  ...findings,
  ...managers,
}
