import { counted } from './counts.ts'

/** The English words about people and their stored data. */
export const people = {
  people: {
    title: 'People',
    intro: 'Find a person by the email address, or by a part of it.',
    search: 'Email address or part of it',
    find: 'Find',
    found: (count: number) =>
      count === 0 ? 'No address matches.' : counted(count, 'person found', 'people found'),
    more: 'There are more people who match. Type more of the address.',
    nothing: 'Nothing is stored about an address with these letters.',
    devices: (count: number) => counted(count, 'device', 'devices'),
    subscribed: 'Gets notifications',
    unsubscribed: 'Gets no notifications',
    noPreference: 'Never had a device',
  },
  person: {
    title: 'Person',
    back: 'People',
    gone: 'Nothing is stored about this person any more.',
    language: 'Language',
    notifications: 'Notifications',
    subscribed: 'Yes',
    unsubscribed: 'No',
    topics: 'Topics',
    everything: 'Everything',
    number: 'Number in the history',
    duty: 'Works in the console',
    duties: { editor: 'as editor', operator: 'as operator' },
    clients: 'API clients that act for this person',
    deliveries: 'Notifications of which the delivery is known',
    seen: 'Notifications marked as seen',
    devices: 'Devices',
    noDevices: 'No device is attached.',
    kinds: {
      fcm: 'Phone (Firebase)',
      apns: 'iPhone or iPad',
      webpush: 'Browser',
      unroutable: 'Unknown kind, cannot be reached',
    },
    lastSeen: (moment: string) => `Last seen ${moment}`,
    removed: (moment: string) => `Removed ${moment}, because its app is gone`,
    posts: 'Own posts',
    noPosts: 'This person has written no post.',
    morePosts: 'Show more posts',
    download: 'Download everything',
    downloaded: 'Downloaded. The file holds personal data and device tokens: keep it safe.',
    erase: 'Erase…',
    eraseTitle: (email: string) => `Erase ${email}?`,
    eraseText: 'This removes for ever what is stored about this person:',
    eraseConfirm: 'Erase this person for ever',
    erased: 'Erased.',
    goes: {
      preference: 'language and subscription',
      devices: (count: number) => counted(count, 'device', 'devices'),
      posts: (count: number) =>
        `the name under ${counted(count, 'post', 'posts')}; the texts stay, because they are content`,
      deliveries: (count: number) =>
        `${counted(count, 'line', 'lines')} of delivery reports; their totals stay`,
      seen: (count: number) =>
        counted(count, 'mark that a notification was seen', 'marks that notifications were seen'),
      clients: (names: ReadonlyArray<string>) =>
        names.length === 1
          ? `the link to the API client ${names[0]}, which stays`
          : `the link to the API clients ${names.join(', ')}, which stay`,
      manager: 'the access to this console, with all sessions',
      workingCopies: (count: number) => counted(count, 'unsaved text', 'unsaved texts'),
      responses: (count: number) => counted(count, 'stored answer of the API', 'stored answers of the API'),
      number: 'the link between the person and the history',
    },
    backups: 'Backups that were made before still hold it.',
  },
}

export type PeopleMessages = typeof people
