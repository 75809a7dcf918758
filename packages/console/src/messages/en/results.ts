import { number } from './counts.ts'

/** The English words of the queue's overview, of reasons, results and the calendar. */
export const results = {
  overview: {
    views: 'View',
    queue: 'One by one',
    grid: 'Overview',
    oldest: (shown: number, total: number) =>
      `The ${number(shown)} that have waited longest, of ${number(total)}.`,
    earlier: 'Sent before by the same donor',
    given: 'Reason given:',
  },
  results: {
    title: 'Results',
    print: 'Print',
    period: 'Months',
    recent: 'The last twelve',
    month: 'Month',
    total: 'All of them',
    csv: 'CSV',
    csvLabel: (title: string) => `Save as CSV: ${title}`,
    none: 'Nothing yet.',
    byLanguage: 'By language',
    published: { library: 'Publications', feed: 'Posts' },
    publishedHint: {
      library: 'Live now, in the month of their publication date.',
      feed: 'Live now, in the month in which they were sent.',
    },
    sent: 'Notifications',
    sentHint:
      'Counted in the month in which their sending began. A phone or browser is reached when its provider has accepted the notification.',
    notifications: 'Notifications',
    devicesOfMonth: 'Phones and browsers',
    outcomes: {
      delivered: 'Reached',
      failed: 'Not reached',
      dead: 'App removed',
      skipped: 'Signed out or turned off',
    },
    devices: 'Phones and browsers, now',
    kind: 'Kind',
    people: 'People by language, now',
    peopleHint: 'People with a preference or a device. Others read without being known.',
    language: 'Language',
    subscribed: 'Want notifications',
    unsubscribed: 'Want none',
    topics: 'People by topic, now',
    topicsHint: 'People who want notifications. Who follows several topics counts for each.',
    topic: 'Topic',
    everything: 'Everything',
  },
  reason: {
    button: 'Say why not',
    title: (title: string) => `Why is “${title}” not taken?`,
    text: 'The donor reads this beside the post in the app. Write in the language of the post.',
    frequent: 'Frequent reasons',
    names: {
      unclear: 'Picture unclear',
      people: 'Shows people',
      subject: 'Other subject',
      known: 'Published already',
    },
    label: 'What the donor reads',
    archive: 'Archive the post with this reason',
    archiveWithout: 'Archive the post without a reason',
    keep: 'Let the post wait',
  },
}

export type ResultMessages = typeof results
