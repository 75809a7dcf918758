import type { Messages } from './en.ts'
import { app } from './fr/app.ts'
import { bulk } from './fr/bulk.ts'
import { charts } from './fr/charts.ts'
import { clients } from './fr/clients.ts'
import { editor } from './fr/editor.ts'
import { items } from './fr/items.ts'
import { managers } from './fr/managers.ts'
import { notifications } from './fr/notifications.ts'
import { people } from './fr/people.ts'
import { portfolio } from './fr/portfolio.ts'

/** The French words of the console. */
export const fr: Messages = {
  ...app,
  ...items,
  ...editor,
  ...charts,
  ...notifications,
  ...clients,
  ...people,
  ...portfolio,
  ...bulk,
  ...managers,
}
