import * as common from '@almoner/domain'
import * as access from '@almoner/domain/access'
import * as content from '@almoner/domain/content'
import * as delivery from '@almoner/domain/delivery'
import * as history from '@almoner/domain/history'
import * as managers from '@almoner/domain/managers'
import * as media from '@almoner/domain/media'
import * as notifications from '@almoner/domain/notifications'
import * as operations from '@almoner/domain/operations'
import * as people from '@almoner/domain/people'
import * as personalData from '@almoner/domain/personal-data'
import * as portfolio from '@almoner/domain/portfolio'
import * as ports from '@almoner/domain/ports'
import * as values from '@almoner/domain/values'
import t from 'tap'

const AREAS = {
  access,
  content,
  delivery,
  history,
  managers,
  media,
  notifications,
  operations,
  people,
  personalData,
  portfolio,
  ports,
  values,
}

t.test('each name has one meaning, and one entry point besides the root', async (t) => {
  const homes = new Map<string, string>()
  for (const [area, exported] of Object.entries(AREAS))
    for (const name of Object.keys(exported)) {
      t.notOk(homes.has(name), `${name} is in ${area} and in ${homes.get(name)}`)
      homes.set(name, area)
    }
})

t.test('each area has its use cases in its entry point', async (t) => {
  t.ok('makeListLibraryItems' in content && 'makeListFeedItems' in content && 'makeAttachLabel' in content)
  t.ok('makeCreateNotification' in notifications && 'makeReview' in delivery && 'makeAttachDevice' in people)
  t.ok('makeLoadPortfolio' in portfolio && 'makeIssueToken' in access && 'makePutCopy' in managers)
  t.ok('makeEraseUser' in personalData && 'makeSweepImages' in operations)
})

t.test('the root entry point offers few names', async (t) => {
  t.ok('createAlmoner' in common)
  t.ok(Object.keys(common).length <= 30, String(Object.keys(common).length))
})
