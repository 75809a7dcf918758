import { counted } from './counts.ts'

/** The English words of the frame of the console, the desk, and problems. */
export const app = {
  loading: 'Loading…',
  close: 'Close',
  cancel: 'Cancel',
  retry: 'Try again',
  shell: { skip: 'Skip to the content', navigation: 'Main' },
  navigation: {
    desk: 'Desk',
    library: 'Library',
    feed: 'Feed',
    queue: 'Queue',
    portfolio: 'Portfolio',
    notifications: 'Notifications',
  },
  languages: { en: 'English', fr: 'French' },
  status: { Draft: 'Draft', Live: 'Live', Archived: 'Archived' },
  kinds: { photo: 'Photo', link: 'Link', vlink: 'Video' },
  session: {
    endedTitle: 'Your session has ended',
    endedText: 'Your text is still here. Sign in again, then go on where you were.',
    link: 'Your new sign-in link',
    signIn: 'Sign in',
    passkey: 'Sign in with a passkey',
    otherTab: 'Sign in in another tab',
    continue: 'I have signed in: go on',
    problems: {
      refused: 'This link does not work. It may have been used already, or be too old.',
      noPasskey: 'This passkey is not known here.',
      tooMany: 'There were too many attempts. Wait a minute, then try again.',
      failed: 'The server did not answer. Try again in a moment.',
      notYet: 'You are not signed in yet.',
      other: 'This is another person. Sign in as yourself.',
    },
  },
  presence: {
    title: 'Confirm that it is you',
    text: 'This cannot be undone, or gives access to others. Sign in again to go on. It counts for five minutes.',
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
      counted(count, 'translation is older than its original', 'translations are older than their originals'),
    olderHint: 'The other language has changed since.',
    unfinished: (title: string) => `Finish “${title}”`,
    unfinishedHint: (age: string) => `You wrote ${age}, and have not saved it.`,
    nothing:
      'Nothing waits for you. Posts of donors, missing translations and texts that you have not saved appear here.',
    today: 'Going out today',
    todayEmpty:
      'No notification goes out today. Those that are scheduled for today appear here with their time.',
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
    signOut: 'Sign out',
  },
  problems: {
    offline: 'The server did not answer. Check your connection, then try again.',
    answered: (status: number) => `The server could not do this (error ${status}).`,
    request: (id: string) => `Number of the request, for your administrator: ${id}`,
    codes: {
      illegal_move: 'An archived entry cannot be published directly. Move it back to draft first.',
      image_gone: 'An image of that version is no longer here.',
      has_counterpart: 'The language cannot change while it is linked to its translation.',
      image_needed: 'A live entry needs this image. Replace it, or move the entry back to draft first.',
      not_found: 'This entry is no longer there.',
      precondition_failed: 'It has changed meanwhile. Look at it again.',
      content_too_large: 'The file is too large. At most 10 MB are possible.',
      unsupported_media_type: 'Only JPEG and PNG images are possible.',
      too_many_requests: 'There were too many requests. Wait a minute.',
      insufficient_scope: 'You may not do this.',
      insufficient_role: 'Only operators may do this.',
      presence_required: 'Sign in again first to do this.',
    },
  },
}

export type AppMessages = typeof app
