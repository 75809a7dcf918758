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
