import { app } from './en/app.ts'
import { bulk } from './en/bulk.ts'
import { charts } from './en/charts.ts'
import { clients } from './en/clients.ts'
import { editor } from './en/editor.ts'
import { findings } from './en/findings.ts'
import { items } from './en/items.ts'
import { managers } from './en/managers.ts'
import { notifications } from './en/notifications.ts'
import { operations } from './en/operations.ts'
import { palette } from './en/palette.ts'
import { passwords } from './en/passwords.ts'
import { people } from './en/people.ts'
import { portfolio } from './en/portfolio.ts'
import { portfolioLoad } from './en/portfolio-load.ts'

/** The English words of the console. They decide which messages there are. */
export const en = {
  ...app,
  ...items,
  ...editor,
  ...charts,
  ...portfolio,
  ...portfolioLoad,
  ...notifications,
  ...bulk,
  ...palette,
  ...managers,
  ...clients,
  ...passwords,
  ...people,
  ...operations,
  ...findings,
}

/** The messages of the console. A language that lacks one does not compile. */
export type Messages = typeof en
