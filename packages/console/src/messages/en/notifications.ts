import { counted, number } from './counts.ts'

const devices = (count: number): string => counted(count, 'device', 'devices')

const listed = new Intl.ListFormat('en-GB')

/** The English words of notifications and their composer. */
export const notifications = {
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
    otherLanguage: 'Other language',
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
      both: 'It is cancelled in both languages.',
      confirm: 'Cancel the notification',
      keep: 'Keep it',
      done: 'The notification is cancelled.',
    },
    stop: {
      button: 'Stop sending',
      title: 'Stop sending this notification?',
      text: 'Devices that have it keep it, the others do not get it. The notification and its report are deleted.',
      both: 'It stops in both languages.',
      confirm: 'Stop and delete the notification',
      keep: 'Go on sending',
      done: 'The notification is stopped.',
    },
  },
  composer: {
    topic: 'Topic',
    everyone: 'All readers',
    followers: (people: number, topic: string) =>
      `${counted(people, 'of these people follows', 'of these people follow')} the topic “${topic}”. The others follow everything.`,
    title: 'New notification',
    change: 'Change a notification',
    create: 'New notification',
    notify: 'Notify readers',
    changeLink: 'Change it',
    choose: 'Which publication is it about?',
    nothingFound: 'No live publication matches.',
    without: 'Write one without a publication',
    gone: 'It is no longer there.',
    started: 'This notification is being sent, or was sent. It cannot be changed any more.',
    look: 'Look at it',
    restored: (moment: string) => `You wrote this on ${moment} and have not scheduled it. Only you see it.`,
    about: 'Opens',
    notLive: 'It has no picture and no link, because its publication is not live.',
    send: { en: 'Send in English', fr: 'Send in French' },
    readers: {
      en: 'To readers who chose English or no language.',
      fr: 'To readers who chose French.',
    },
    otherLanguage: {
      en: 'There is no English version. It opens the French one.',
      fr: 'There is no French version. It opens the English one.',
    },
    scheduled: 'This one is scheduled. Look at it',
    fields: { title: 'Title', subtitle: 'Subtitle', description: 'Text' },
    subtitleHint: 'On Android and in browsers, it is the first line of the text.',
    size: 'Size of the notification',
    bytes: (bytes: string, most: string) => `${bytes} of ${most} bytes`,
    tooLarge: 'Too large: Apple, Google and browsers refuse it. Shorten the text.',
    smallerLimits: {
      'firefox-android': (size: string, isOver: boolean) =>
        isOver
          ? `Too large for Firefox on Android (${size}): its users do not get it.`
          : `Firefox on Android: ${size}`,
    },
    number,
    noDevices: 'No device would get it',
    kinds: {
      fcm: 'Android and others through Firebase',
      apns: 'iPhone and iPad',
      webpush: 'Browsers',
      unroutable: 'Of an unknown kind: cannot be reached',
    },
    previews: 'How devices show it',
    devices: { iphone: 'Locked iPhone', android: 'Android', browser: 'Browser on a computer' },
    parts: { title: 'title', subtitle: 'subtitle', text: 'text' },
    cut: (parts: ReadonlyArray<string>) => `Cuts ${listed.format(parts)}`,
    notCut: 'Shows all of it',
    when: 'Time',
    begin: 'When does it go out?',
    at: 'At a time',
    now: 'Now',
    day: 'Day',
    time: 'Time of day',
    zone: 'Time zone',
    noTime: 'Choose a day and a time.',
    moment: (day: string, time: string, zone: string) => `${day} at ${time} (${zone})`,
    missingHour: (time: string) =>
      `There is no ${time} on this day: the clocks go forward over it. It goes out at the time above.`,
    twiceHour: (time: string) => `There are two ${time} on this day, because the clocks go back. Choose one.`,
    which: 'Which one?',
    first: 'The first, before the change',
    second: 'The second, after the change',
    clockChange: (moment: string, before: string, after: string) =>
      `The clocks change before then: ${moment}. Today it is ${before}, at that time ${after}.`,
    ownTime: (moment: string) => `On your clock: ${moment}`,
    past: 'This time is past, so it goes out at once.',
    test: 'Test on your own device',
    testHint: 'Only the device that you choose gets it. Nothing is scheduled.',
    noOwnDevice: (email: string) =>
      `You have no device yet. Sign in to the app or the website as ${email} and allow notifications there, then open this page again.`,
    device: 'Device',
    ownDevice: (kind: string, day: string) => `${kind}, since ${day}`,
    testIn: (language: string) => `Send the test in ${language}`,
    testing: 'Sending…',
    outcomes: {
      delivered: () => 'Sent. It should be on your device in a few seconds.',
      unregistered: () => 'The app is no longer on this device.',
      retry: (reason: string) => `The provider cannot take it right now: ${reason}`,
      refused: (reason: string) => `The provider refuses it: ${reason}`,
      senderError: (reason: string) =>
        `The provider rejects our credentials. Tell your administrator: ${reason}`,
    },
    acts: 'Schedule',
    noLanguage: 'Choose a language.',
    hasErrors: 'Something is missing. Look at the fields marked above.',
    schedule: 'Schedule…',
    sendNow: 'Send now…',
    question: {
      at: (count: number) => `Schedule it for ${devices(count)}?`,
      now: (count: number) => `Send it to ${devices(count)} now?`,
    },
    confirm: {
      at: (count: number) => `Schedule for ${devices(count)}`,
      now: (count: number) => `Send to ${devices(count)}`,
    },
    questionAgain: {
      at: (count: number) => `Schedule a second one, for ${devices(count)}?`,
      now: (count: number) => `Send a second one to ${devices(count)} now?`,
    },
    confirmAgain: {
      at: (count: number) => `Schedule a second one for ${devices(count)}`,
      now: (count: number) => `Send a second one to ${devices(count)}`,
    },
    notYet: 'Not yet',
    announced: 'Sent or scheduled about this publication',
    earlier: {
      did: {
        en: (moment: string, count: number) =>
          `Readers of English have had one about this publication on ${moment}, on ${devices(count)}.`,
        fr: (moment: string, count: number) =>
          `Readers of French have had one about this publication on ${moment}, on ${devices(count)}.`,
      },
      will: {
        en: (moment: string, _count: number) =>
          `Readers of English already get one about this publication on ${moment}.`,
        fr: (moment: string, _count: number) =>
          `Readers of French already get one about this publication on ${moment}.`,
      },
    },
    atOnce: 'It goes out at once, and cannot be called back from devices that have it.',
    done: 'It is scheduled.',
  },
}

export type NotificationMessages = typeof notifications
