/** A paragraph; several items are a list. `**Save**` marks words of a page, and `` `A` `` a key. */
export type Paragraph = string | ReadonlyArray<string>

/** A part of the manual. */
export interface Section {
  readonly title: string
  readonly text: ReadonlyArray<Paragraph>
}

/** The manual in English, in the order in which people need it. It decides which sections there are. */
export const en = {
  account: {
    title: 'Signing in, and your account',
    text: [
      'An operator gives you a link that signs you in once, within 24 hours. Then **Add a passkey**: from now on the lock of your phone or computer signs you in. If your service offers it, **Set up a password** with an app that shows codes, and print the recovery codes.',
      'A session ends after eight hours without use. What you have typed is kept: sign in again in the page, and go on. Some acts ask you to confirm that it is you, if you signed in more than five minutes ago.',
      '**Language of the console** and **Time zone of the console** are yours alone. All times are shown in your zone. **Make an address** gives your feed reader a private address, which shows how many posts wait but no name and no text.',
    ],
  },
  desk: {
    title: 'The desk',
    text: [
      'The desk lists your work: posts of donors that wait, publications that lack a language, translations that are older, texts that you have not saved, and links that lead nowhere. Each line leads to the work.',
      'Below stand the notifications of today and charts of the last twelve months. Changes by others appear by themselves.',
    ],
  },
  list: {
    title: 'Library and feed',
    text: [
      'The **Library** has the publications, the **Feed** the photos, links and videos. A publication in two languages is one row with the state of each. Its title opens both side by side; the name of a language opens that one alone.',
      'The address of the page holds search, filters and order: send it to a colleague, who then sees the same list.',
      [
        'Check several rows, or all that match, to publish, archive or label them together. A question names each of them first.',
        'An entry that a colleague has changed meanwhile is left as it is, and the report names it.',
        'The signs at the end of a row copy its link, and duplicate it as a draft.',
      ],
    ],
  },
  editor: {
    title: 'Writing an entry',
    text: [
      'What you type is kept after a second, for you alone, on every computer. Readers see it when you press **Publish**, or **Save** on an entry that is live.',
      [
        '**Publish**, pressed too early, lists everything that is missing. Each line leads to its field.',
        'Drop an image or **Choose a file**. Images of posts are cropped in the page. Describe each image for people who do not see it.',
        '**Online from** and **Online until** publish a draft and archive an entry at a time. A publication date in the future hides nothing.',
        'After saving, publishing and archiving, the message offers to undo it for ten seconds.',
        'If a colleague changes the same entry, both changes are merged. Where you both changed the same field, you choose.',
        'A draft that was never live can be deleted. Use **Archive** for entries that readers have seen.',
      ],
    ],
  },
  translation: {
    title: 'Two languages',
    text: [
      'English and French stand side by side, with one date and the same images. **Save both** and **Publish both** act on both at once.',
      'A language is older if the words of the other one have changed since both said the same. The page shows these words, old and new. Change the older text, or press **Nothing to change here** if it is right as it is.',
      'If the other language exists already as a publication, **Link** joins the two. **Separate the two** parts them again.',
    ],
  },
  preview: {
    title: 'Preview',
    text: [
      'The preview shows an entry as a phone does, small or large, light or dark, in each language: **As saved**, or **As typed** before you save, also for an entry that you have just begun.',
      '**Open in the app** shows it in the app of your foundation for 15 minutes, if the service knows the app. A new entry is saved first.',
    ],
  },
  proposals: {
    title: 'Proposals',
    text: [
      'Each **Save** of a live entry reaches readers at once. To let a colleague look first, change the text and press **Share as a proposal**; on the page of both languages, **Share as proposals**. Readers keep seeing the version before. An entry has one proposal at a time.',
      'The page **Proposals** lists them. The page of one shows what readers would notice, word by word, and what the preview of a phone shows.',
      [
        '**Change the text or the images** opens the form. Every colleague may change a proposal.',
        '**Publish the proposal** asks first, and names what readers will see. Text and images change together.',
        'Under **Publish later** you choose a day and a time at which it is published by itself. The calendar shows it, and moves it to another day.',
        '**Discard the proposal** takes it away. The message offers to undo this for ten seconds, and so after publishing.',
        'If the live version has changed meanwhile, both are merged. Where both changed the same field, you choose. At its time such a proposal is not published: the desk names it.',
      ],
    ],
  },
  history: {
    title: 'History',
    text: [
      'Each change has its person and its time, with removed and added words marked, and images before and after. **Restore** brings an earlier version back. That is a change too, so you can take it back in the same way.',
    ],
  },
  queue: {
    title: 'The queue',
    text: [
      'Posts of donors wait here, the oldest first. **Approve** shows a post to readers, **Archive** does not. **Say why not** archives it with a reason that the donor reads.',
      'A press acts once, and only on a post that you have seen for half a second. **Your last acts** stand below, each with **Undo**.',
      'Below a post stand the earlier posts of its donor. **Overview** shows all that wait as a grid.',
      'Keys: `A` approves, `R` archives, `W` says why not, `J` and `K` go to the next and the previous post, `Z` undoes.',
    ],
  },
  notifications: {
    title: 'Notifications',
    text: [
      'The page shows the notifications of a month in both languages, as a **List** or a **Calendar**.',
      [
        'Before it starts, use **Change it** or **Cancel this notification**.',
        'While it is sent, its page shows how many devices are done. **Stop sending** ends it: phones that have it keep it.',
        'The **Report** counts the devices by what became of it: received, app removed, signed out or turned off, not reached.',
      ],
    ],
  },
  composer: {
    title: 'Writing a notification',
    text: [
      'Press **Notify readers** on a live publication, or **New notification**. Write both languages side by side: they are scheduled, moved and cancelled together.',
      [
        'The page shows how many devices get it, how phones cut the text, and which notifications this publication had before.',
        'Choose a day, a time and its zone, or **Now**.',
        '**Test on your own device** sends it to your own phone only.',
        'The last question names the number of devices. A notification that has been sent cannot be taken back.',
      ],
    ],
  },
  calendar: {
    title: 'The calendar',
    text: [
      'A month or a week shows publications on their dates, entries that go live or are archived at a time, and notifications past and to come.',
      'Drag an entry to another day, or press **Move** and choose the day. The time stays, and both languages move together. What was sent does not move.',
    ],
  },
  results: {
    title: 'Results',
    text: [
      'By month: publications, posts, notifications, and the phones and browsers that these reached or did not reach, with the reason. Below stand devices by kind, and people by language and topic, as they are now.',
      '**CSV** saves a table for a spreadsheet. **Print** prints the page without the frame.',
    ],
  },
  portfolio: {
    title: 'The portfolio',
    text: [
      'The organizations that the foundation supports, with their images, figures by year, and texts in both languages. The page lists texts that lack a language, and highlights that do not occur in their text.',
      'The portfolio is changed by files. **Export** gives them as a zip archive with tables that a spreadsheet opens. Change them there, then **Load from files**.',
    ],
  },
  'portfolio-load': {
    title: 'Loading the portfolio',
    text: [
      'Drop the folder or the zip archive, or choose it. The page shows every error with its file and line. Nothing changes before you agree.',
      'Without errors it shows each organization that is new, changed or removed, with the values before and after. A table that is not in the files stays as it is.',
      '**Load these files** asks with the numbers, then replaces everything in one step. If the portfolio has changed since you looked, nothing happens.',
    ],
  },
  search: {
    title: 'Search and keys',
    text: [
      '**Search**, or `Ctrl K`, finds pages, acts, publications and posts by their names, and for operators people by their address.',
      '`?` opens the help of a page. **Keyboard shortcuts** lists all keys. Those of a single key can be switched off, for people who dictate.',
      'The numbers beside the pages count open work.',
    ],
  },
  people: {
    title: 'People',
    text: [
      'For operators. The search finds every person about whom something is stored, by the email address or a part of it.',
      'The page of a person shows devices, posts and what else is stored. **Download everything** saves it in a file: keep that safe. **Erase…** first names everything that goes. It cannot be undone.',
    ],
  },
  clients: {
    title: 'API clients',
    text: [
      'For operators. These are the apps and programs that use the service, with their rights and their last use.',
      '**Add a client** shows its secret a single time: copy it. **New secret…** makes another one, and the old one works for as long as you choose. A client that you disable stops within five seconds, and can be enabled again.',
    ],
  },
  managers: {
    title: 'Managers',
    text: [
      'For operators. These are the people who work in the console. An editor writes and publishes. An operator also manages people, clients and the service.',
      '**Add a manager** shows a link that signs the person in once. Give it to that person only.',
      'After a loss or theft, remove the passkey or the password of the person, **End all sessions**, and make a new link. The last operator cannot be disabled or get another duty.',
    ],
  },
  operations: {
    title: 'Operations',
    text: [
      'For operators. The page shows the service while it runs. A dashed red side of the hexagon needs attention.',
      '**Findings** say what to do, the most urgent first. **Check again** repeats the checks. A push provider can be paused; its devices wait until it is resumed.',
    ],
  },
  audit: {
    title: 'The audit log',
    text: [
      'For operators. Every change, the latest first: what, by whom and when. Filter it by person, app, act and day. The address of the page holds the filters, so you can send it to another operator.',
    ],
  },
} satisfies Readonly<Record<string, Section>>

/** The name of a section, the same in both languages. */
export type SectionName = keyof typeof en

/** A manual in one language. One that lacks a section does not compile. */
export type Manual = Readonly<Record<SectionName, Section>>
