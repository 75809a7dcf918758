import { composer } from './composer.ts'
import { counted, number } from './counts.ts'

/** The English words of notifications. */
export const notifications = {
  ...composer,
  notifications: {
    title: 'Notifications',
    one: 'Notification',
    months: 'Months',
    previous: 'Previous month',
    next: 'Next month',
    today: 'This month',
    view: 'View',
    views: { list: 'List', calendar: 'Calendar' },
    state: 'State',
    stateGroups: { scheduled: 'Scheduled', sending: 'Being sent', sent: 'Sent', failed: 'With failures' },
    states: {
      unscheduled: 'Not scheduled',
      scheduled: 'Scheduled',
      sending: 'Being sent',
      sent: 'Sent',
      partial: 'Sent, not to all',
      failed: 'Failed',
    },
    devices: (count: number) => counted(count, 'device', 'devices'),
    incomplete: 'There are more notifications in this month than fit here. The earliest are missing.',
    emptyTitle: (month: string) => `No notification in ${month}`,
    emptyText:
      'A notification appears on the phones and browsers of readers. Open a publication that is live to write one about it.',
    noneTitle: 'Nothing matches',
    noneText: 'No notification of this month has this language and state.',
    sendAt: 'Time',
    never: 'It has no time, so it is never sent.',
    language: 'Language',
    gone: 'This notification is no longer there',
    progress: (done: number, all: number) => `${number(done)} of ${counted(all, 'device', 'devices')}`,
    progressLabel: 'Devices that are done',
    report: 'Report',
    startedAt: 'Begun',
    finishedAt: 'Finished',
    shortened: {
      image: 'It went out without its picture: with it, it had become too large.',
      links: 'It went out without its picture and its link: with them, it had become too large.',
    },
    noRecipients: {
      en: 'No device was to get it: no reader of English wants notifications.',
      fr: 'No device was to get it: no reader of French wants notifications.',
    },
    ends: {
      delivered: {
        text: (count: number) => counted(count, 'device has got it', 'devices have got it'),
        reason: 'Apple, Google or the maker of the browser has taken it, and passes it on.',
      },
      dead: {
        text: (count: number) => counted(count, 'device has removed the app', 'devices have removed the app'),
        reason: 'Nothing more is sent there until the app is installed again.',
      },
      skipped: {
        text: (count: number) => counted(count, 'device was left out', 'devices were left out'),
        reason: 'The owner signed out or turned notifications off in the meantime.',
      },
      failed: {
        text: (count: number) =>
          counted(count, 'device could not be reached', 'devices could not be reached'),
        reason: 'Of an unknown kind, or no provider took the message in time.',
      },
      pending: {
        text: (count: number) => counted(count, 'device still waits', 'devices still wait'),
        reason: 'The turn comes soon. If it takes long, the service tries again by itself.',
      },
    },
    cancel: {
      button: 'Cancel this notification',
      title: 'Cancel this notification?',
      text: 'Nothing has been sent. The notification is deleted, and never goes out.',
      confirm: 'Do not send it',
      done: 'The notification is cancelled.',
    },
    stop: {
      button: 'Stop sending',
      title: 'Stop sending this notification?',
      text: 'Devices that have it keep it, the others do not get it. The notification and its report are deleted.',
      confirm: 'Stop and delete',
      done: 'The notification is stopped.',
    },
  },
}

export type NotificationMessages = typeof notifications
