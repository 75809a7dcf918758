import { counted } from './counts.ts'

const SUBJECTS = {
  sector: 'The name',
  introduction: 'The introduction',
  summary: 'The summary',
  program: 'The programs',
  challenge: 'The challenge',
} as const

type Subject = keyof typeof SUBJECTS

/** The English words of the portfolio. */
export const portfolio = {
  portfolio: {
    title: 'Portfolio',
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
}

export type PortfolioMessages = typeof portfolio
