import { counted, number } from './counts.ts'

const SUBJECTS = {
  sector: 'The name',
  introduction: 'The introduction',
  summary: 'The summary',
  program: 'The programs',
  challenge: 'The challenge',
} as const

type Subject = keyof typeof SUBJECTS

/** Rows of a table that a load adds, changes and removes. */
interface RowCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** The reasons for which the server takes no upload. */
const UPLOADS: Readonly<Record<string, string>> = {
  'is required': 'Choose a folder or a zip archive.',
  'holds no files of a portfolio': 'There are no files of a portfolio in it.',
}

/** The English words of the portfolio and the load of its files. */
export const portfolio = {
  portfolio: {
    title: 'Portfolio',
    export: 'Export',
    organization: 'Organization',
    organizations: 'Organizations',
    sectors: 'Sectors',
    sector: (name: string) => `Sector “${name}”`,
    searchHint: 'Words of the name',
    nothingFound: 'No organization has all of these words in its name.',
    unknown: 'There is no such organization',
    emptyTitle: 'There is no portfolio yet',
    emptyText:
      'A portfolio has organizations with their sectors, texts in both languages, images and figures by year. It is loaded from files.',
    foundedIn: (year: number) => `Founded in ${year}`,
    joinedIn: (year: number) => `In the portfolio since ${year}`,
    figures: 'Figures by year',
    noFigures: 'There are no figures of this organization.',
    year: 'Year',
    beneficiaries: 'Beneficiaries',
    staff: 'Staff',
    budget: 'Budget',
    budgetIn: (currency: string) => `Budget in ${currency}`,
    ages: (from: string, to: string) => (from === to || to === '' ? `aged ${from}` : `aged ${from} to ${to}`),
    allAges: (ages: string) => `Beneficiaries ${ages}`,
    video: (year: number) => `Video of ${year}`,
    introduction: 'Introduction',
    summary: 'Summary',
    programs: 'Programs',
    challenges: 'Challenges',
    missing: { en: 'English is missing', fr: 'French is missing' },
    lostHighlight: (highlight: string) => `The highlight does not occur in the text: “${highlight}”`,
    findings: (count: number) => counted(count, 'text needs attention', 'texts need attention'),
    noFindings: 'Every text is there in both languages, with its highlight.',
    subject: (about: Subject, challenge: number | null) =>
      challenge === null ? SUBJECTS[about] : `${SUBJECTS[about]} ${challenge}`,
    finding: {
      missing: (subject: string, language: string) => `${subject}: ${language} is missing`,
      fewer: (subject: string, language: string) =>
        `${subject}: fewer in ${language} than in the other language`,
      'lost-highlight': (subject: string, language: string) =>
        `${subject}: the highlight does not occur in the text (${language})`,
    },
  },
  portfolioLoad: {
    title: 'Load the portfolio from files',
    link: 'Load from files',
    lead: 'Drop the folder of the portfolio, or a zip archive of it. You first see its errors and its changes. Nothing changes before you agree.',
    drop: 'Drop the folder or the zip archive here',
    dropLabel: 'Folder or zip archive of the portfolio',
    chooseFolder: 'Choose a folder',
    chooseArchive: 'Choose a zip archive',
    stepsLabel: 'Steps',
    steps: { choose: 'Choose', send: 'Send', check: 'Check', agree: 'Agree', load: 'Load' },
    sending: (count: number) => `Sending ${counted(count, 'file', 'files')}…`,
    checking: (count: number) => `Checking ${counted(count, 'file', 'files')}…`,
    loading: (count: number) => `Loading ${counted(count, 'file', 'files')}…`,
    progress: 'Sent',
    reading: 'Reading the files',
    images: { checking: 'Checking images', storing: 'Storing images' },
    imagesDone: (step: string, done: number, of: number) => `${step}: ${number(done)} of ${number(of)}`,
    faults: (count: number) => counted(count, 'error in the files', 'errors in the files'),
    nothingChanged: 'Nothing has changed. Correct the files, then choose them again.',
    folder: 'In the folder',
    line: (line: number) => `Line ${line}:`,
    moreFaults: (count: number) => `And ${number(count)} more.`,
    /** An error of the server in its own words. */
    fault: (text: string) => text,
    upload: (message: string) => UPLOADS[message] ?? `The upload ${message}.`,
    tooLarge: 'The files are too large: all together have at most 512 MiB.',
    notSent: 'The files could not be sent. They may have changed since you chose them: choose them again.',
    hasChanged: 'The files or the portfolio have changed since the check. Choose the files again.',
    noPresence: 'You have not signed in again, so nothing has changed. Choose the files again.',
    changes: (count: number) =>
      count === 0
        ? 'No organization changes'
        : counted(count, 'organization changes', 'organizations change'),
    kinds: { added: 'new', changed: 'changed', removed: 'removed' },
    byTable: 'Rows by table',
    table: 'Table',
    added: 'Added',
    changed: 'Changed',
    removed: 'Removed',
    kept: 'Unchanged',
    loads: { replaced: 'replaces it', emptied: 'empties it', left: 'leaves it as it is' },
    tables: {
      sectors: 'Sectors',
      organizations: 'Organizations',
      introductions: 'Introductions',
      summaries: 'Summaries',
      programs: 'Programs',
      challenges: 'Challenges',
      datasets: 'Figures',
    },
    /** The columns of the files, by their names there. */
    columns: {
      name: 'Name',
      since: 'In the portfolio since',
      founded: 'Founded in',
      website: 'Web site',
      sectors: 'Sectors',
      logo: 'Logo',
      visual: 'Large image',
      en: 'Name in English',
      fr: 'Name in French',
      text: 'Text',
      highlight: 'Highlight',
      programTitle: 'Title',
      programDescription: 'Description',
      beneficiaries: 'Beneficiaries',
      ageFrom: 'From the age of',
      ageTo: 'To the age of',
      staffHeadcount: 'Staff',
      budget: 'Budget',
      budgetCurrency: 'Currency',
      vrVideoUrl: 'Video',
    },
    differences: (name: string) => `Differences of ${name}`,
    sectorDifferences: 'Differences of sectors',
    tableChange: (table: string, { added, changed, removed }: RowCounts) =>
      `${table}: ${[
        ...(added > 0 ? [`${number(added)} added`] : []),
        ...(changed > 0 ? [`${number(changed)} changed`] : []),
        ...(removed > 0 ? [`${number(removed)} removed`] : []),
      ].join(', ')}`,
    remarks: (count: number) => counted(count, 'remark about the files', 'remarks about the files'),
    yearOutside: (year: number) =>
      `Organizations joined in ${year}. Apps cannot ask for this year: ask your administrator for ALMONER_JOINED_YEARS.`,
    unusualImage: (file: string, width: number, height: number) =>
      `${file} has an unusual size: ${width} by ${height} pixels.`,
    same: 'These files are the portfolio as it is. There is nothing to load.',
    load: 'Load these files',
    askTitle: 'Load these files into the portfolio?',
    ask: (added: number, changed: number, removed: number) =>
      `${counted(added, 'organization is', 'organizations are')} added, ${number(changed)} changed, ${number(removed)} removed. Tables that are not in the files stay as they are. Readers see it at once.`,
    loaded: 'The files have been loaded. Readers see the change now.',
  },
}

export type PortfolioMessages = typeof portfolio
