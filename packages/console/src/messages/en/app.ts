import { counted, number } from './counts.ts'

/** The first and the last value of a series, in words. */
export interface SeriesSummary {
  readonly name: string
  readonly first: string
  readonly last: string
}

const span = ({ first, last }: SeriesSummary): string => (first === last ? first : `from ${first} to ${last}`)

const spans = (series: ReadonlyArray<SeriesSummary>): string =>
  series.map((one) => (series.length === 1 ? span(one) : `${one.name}: ${span(one)}`)).join('; ')

/** The English words of the frame of the console, problems, the desk, the palette, shortcuts and charts. */
export const app = {
  /** Stands between a name and what follows it. */
  colon: ': ',
  loading: 'Loading…',
  close: 'Close',
  cancel: 'Cancel',
  keep: 'Leave it as it is',
  retry: 'Try again',
  forOperators: {
    title: 'This page is for operators',
    text: 'Your duty is to write and publish. Ask an operator if you need something that stands here.',
  },
  shell: {
    skip: 'Skip to the content',
    navigation: 'Main',
    administration: 'Administration',
    waiting: (count: number) => `${number(count)} to do`,
  },
  navigation: {
    desk: 'Desk',
    library: 'Library',
    feed: 'Feed',
    queue: 'Queue',
    proposals: 'Proposals',
    portfolio: 'Portfolio',
    notifications: 'Notifications',
    calendar: 'Calendar',
    results: 'Results',
    people: 'People',
    clients: 'API clients',
    managers: 'Managers',
    operations: 'Operations',
    audit: 'Audit log',
  },
  languages: { en: 'English', fr: 'French' },
  status: { Draft: 'Draft', Live: 'Live', Archived: 'Archived' },
  kinds: { photo: 'Photo', link: 'Link', vlink: 'Video' },
  session: {
    endedTitle: 'Your session has ended',
    endedText: 'Your text is still here. Sign in again, then go on where you were.',
    link: 'Your new sign-in link',
    linkHint: (command: string) =>
      `An operator makes one on the page “Managers”. On the server the command “${command}” prints one.`,
    signIn: 'Sign in',
    passkey: 'Sign in with a passkey',
    oidc: 'Sign in with your organization, in another tab',
    password: 'Password',
    code: 'Code of your app, or a recovery code',
    byPassword: 'Sign in with the password',
    otherTab: 'Sign in in another tab',
    continue: 'I have signed in: go on',
    problems: {
      refused: 'This link does not work. It may have been used already, or be too old.',
      noPasskey: 'This passkey is not known here.',
      noPassword: 'This did not sign you in. Check the password, and use the next code: each works once.',
      tooMany: 'There were too many attempts. Wait a minute, then try again.',
      failed: 'The server did not answer. Try again in a moment.',
      notYet: 'You are not signed in yet.',
      other: 'This is another person. Sign in as yourself.',
    },
  },
  presence: {
    title: 'Confirm that it is you',
    text: 'This cannot be undone, reaches many people, shows personal data, or gives access to others. Sign in again to go on. It counts for five minutes.',
    onlyLinks: 'So far you sign in by links only, so you need a new one.',
    offerTitle: 'Do without links from now on',
    offerText:
      'You have confirmed that it is you. Next time a passkey does it with the lock of your phone or computer. It takes a moment to add one.',
    offerSkip: 'Go on without one',
  },
  notFound: {
    title: 'There is no such page',
    text: 'The address may have been typed wrongly, or the page has moved.',
    link: 'Go to the desk',
  },
  desk: {
    title: (name: string) => `Hello, ${name}`,
    toDo: 'For you to do',
    waiting: (count: number) => counted(count, 'post waits to be approved', 'posts wait to be approved'),
    oldest: (age: string) => `The oldest was sent ${age}.`,
    lacking: {
      en: (count: number) => counted(count, 'publication lacks English', 'publications lack English'),
      fr: (count: number) => counted(count, 'publication lacks French', 'publications lack French'),
    },
    older: (count: number) =>
      counted(
        count,
        'publication is older than its other language',
        'publications are older than their other language',
      ),
    olderHint: (titles: string) => `Changed in the other language: ${titles}`,
    olderTitle: (title: string, fields: string) => `“${title}” (${fields})`,
    unfinished: (title: string) => `Finish “${title}”`,
    unfinishedHint: (age: string) => `You wrote ${age}, and have not saved it.`,
    nothing:
      'Nothing waits for you. Posts of donors, missing translations and texts that you have not saved appear here.',
    today: 'Going out today',
    todayEmpty:
      'No notification goes out today. Those that are scheduled for today appear here with their time.',
    calendar: 'The calendar of the month',
    states: {
      unscheduled: 'not scheduled',
      scheduled: 'scheduled',
      sending: 'being sent',
      sent: 'sent',
      partial: 'sent, not to all',
      failed: 'failed',
    },
    failedTitle: 'These notifications did not arrive everywhere',
    reasons: { failed: 'it reached no device.', partial: 'it did not reach all devices.' },
    deadLinksTitle: (count: number) => counted(count, 'link leads nowhere', 'links lead nowhere'),
    deadLink: (field: string, answer: string, day: string) =>
      `${field}, ${{ 'no-name': 'no such site', refused: 'the site refuses connections' }[answer] ?? `answer ${answer}`} since ${day}.`,
    schedulesTitle: 'These entries did not change at their scheduled time',
    schedules: {
      publishAt: (missing: string) => `it did not go live: ${missing} was missing.`,
      archiveAt: (_missing: string) => 'it was not archived, because it was a draft.',
    },
    published: 'Published, each month of the last twelve',
    publications: 'Publications',
    posts: 'Posts',
    month: 'Month',
    results: 'All results: notifications, devices, people',
    begin: 'Begin something new',
    publication: { title: 'Write a publication', text: 'It stays a draft until you publish it.' },
    post: { title: 'Write a post', text: 'A photo, a link or a video for the feed.' },
  },
  account: {
    title: 'Your account',
    name: 'Name',
    email: 'Email',
    ends: 'Signed in until',
    language: 'Language of the console',
    zone: 'Time zone of the console',
    serviceZone: (zone: string) => `That of the service (${zone})`,
    zoneHint: (now: string) => `All times in the console are shown in this zone. It is now ${now}.`,
    signOut: 'Sign out',
  },
  problems: {
    offline: 'The server did not answer. Check your connection, then try again.',
    answered: (status: number) => `The server could not do this (error ${status}).`,
    request: (id: string) => `Number of the request, for your administrator: ${id}`,
    codes: {
      illegal_move: 'An archived entry cannot be published directly. Move it back to draft first.',
      not_publishable: 'It cannot go live yet: something is missing.',
      image_gone: 'An image of that version is no longer here.',
      last_operator: 'This is the last operator. Make another person an operator first.',
      has_counterpart: 'The language cannot change while it is linked to its translation.',
      image_needed: 'A live entry needs this image. Replace it, or move the entry back to draft first.',
      not_found: 'This entry is no longer there.',
      precondition_failed: 'It has changed meanwhile. Look at it again.',
      content_too_large: 'The file is too large. At most 10 MB are possible.',
      notification_started: 'It is being sent already. Reload the page to see how far it has come.',
      too_many_requests: 'There were too many requests. Wait a minute.',
      insufficient_scope: 'You may not do this.',
      insufficient_role: 'Only operators may do this.',
      presence_required: 'Sign in again first to do this.',
    },
  },
  palette: {
    button: 'Search',
    title: 'Search and acts',
    hint: 'A page, an act, words of a title',
    pages: 'Pages',
    acts: 'Acts',
    languages: { en: 'Continue in English', fr: 'Continuer en français' },
    missing: 'Publications without a translation',
    older: 'Translations that are older',
    drafts: 'Publications that are drafts',
    nothing: 'Nothing matches.',
    searching: 'Searching…',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    switch: 'Shortcuts of a single key',
    switchHint: 'Switch them off if you dictate, or press keys by accident. This browser remembers it.',
    act: 'Act',
    keys: 'Keys',
    off: 'switched off',
    areas: {
      everywhere: 'Everywhere',
      list: 'Lists',
      queue: 'Queue',
      editor: 'Editor',
    },
    acts: {
      save: 'Save',
      palette: 'Search and acts',
      help: 'Help for the page',
      search: 'Search the list',
      next: 'Next entry',
      previous: 'Previous entry',
      first: 'First entry',
      last: 'Last entry',
      select: 'Select the entry, or unselect it',
      selectNext: 'Select the next entry too',
      selectPrevious: 'Select the previous entry too',
      selectAll: 'Select all listed entries',
      clear: 'Clear the selection',
      approve: 'Approve the post',
      archive: 'Archive the post',
      reason: 'Archive the post with a reason',
      nextPost: 'Next post',
      previousPost: 'Previous post',
      undo: 'Undo the last act',
    },
    keyNames: {
      ...{ Mod: 'Ctrl', Shift: 'Shift', ArrowDown: 'Down', ArrowUp: 'Up' },
      ...{ Home: 'Home', End: 'End', Escape: 'Esc' },
    },
  },
  help: {
    button: 'Help',
    title: 'Manual',
    contents: 'Contents',
    whole: 'The whole manual',
  },
  charts: {
    table: 'Show as a table',
    none: '–',
    empty: 'There are no figures yet.',
    summary: (title: string, series: ReadonlyArray<SeriesSummary>) => `${title}: ${spans(series)}`,
  },
}

export type AppMessages = typeof app
