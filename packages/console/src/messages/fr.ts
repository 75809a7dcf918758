import type { Messages } from './en.ts'
import { access } from './fr/access.ts'
import { app } from './fr/app.ts'
import { content } from './fr/content.ts'
import { drafts } from './fr/drafts.ts'
import { editing } from './fr/editing.ts'
import { findings } from './fr/findings.ts'
import { managers } from './fr/managers.ts'
import { notifications } from './fr/notifications.ts'
import { operations } from './fr/operations.ts'
import { people } from './fr/people.ts'
import { portfolio } from './fr/portfolio.ts'
import { proposals } from './fr/proposals.ts'
import { results } from './fr/results.ts'

/** The French words of the console. */
export const fr: Messages = {
  ...app,
  ...content,
  ...editing,
  ...drafts,
  ...portfolio,
  ...proposals,
  ...notifications,
  ...managers,
  ...access,
  ...people,
  ...operations,
  ...findings,
  ...results,
}
