import t from 'tap'
import * as root from '../src/all.ts'
import * as access from '../src/entries/access.ts'
import * as desk from '../src/entries/desk.ts'
import * as feed from '../src/entries/feed.ts'
import * as history from '../src/entries/history.ts'
import * as library from '../src/entries/library.ts'
import * as notifications from '../src/entries/notifications.ts'
import * as operations from '../src/entries/operations.ts'
import * as portfolio from '../src/entries/portfolio.ts'
import * as ports from '../src/entries/ports.ts'
import * as values from '../src/entries/values.ts'
import * as common from '../src/index.ts'

const ENTRIES = { access, desk, feed, history, library, notifications, operations, portfolio, ports, values }

t.test('an entry point of an area has no name that another one gives another meaning', async (t) => {
  const meanings = new Map<string, unknown>(Object.entries(root))
  for (const [entry, exported] of Object.entries(ENTRIES))
    for (const [name, value] of Object.entries(exported)) {
      t.equal(value, meanings.get(name) ?? value, `${entry}: ${name}`)
      meanings.set(name, value)
    }
})

t.test('each area has its use cases in its entry point', async (t) => {
  t.ok('makeListLibraryItems' in library && 'makeAttachLabel' in library && 'makeSweepImages' in library)
  t.ok('makeListFeedItems' in feed && !('makeListLibraryItems' in feed))
  t.ok('makeReview' in notifications && 'makeAttachDevice' in notifications)
  t.ok('makeLoadPortfolio' in portfolio && 'makeIssueToken' in access && 'makePutCopy' in desk)
})

t.test('the root entry point offers few names', async (t) => {
  t.ok('createAlmoner' in common)
  t.ok(Object.keys(common).length <= 30, String(Object.keys(common).length))
})
