import { access } from './en/access.ts'
import { app } from './en/app.ts'
import { content } from './en/content.ts'
import { drafts } from './en/drafts.ts'
import { editing } from './en/editing.ts'
import { findings } from './en/findings.ts'
import { managers } from './en/managers.ts'
import { notifications } from './en/notifications.ts'
import { operations } from './en/operations.ts'
import { people } from './en/people.ts'
import { portfolio } from './en/portfolio.ts'
import { proposals } from './en/proposals.ts'
import { results } from './en/results.ts'

/** The English words of the console. They decide which messages there are. */
export const en = {
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

/** The messages of the console. A language that lacks one does not compile. */
export type Messages = typeof en
