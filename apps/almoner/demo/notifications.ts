/** A message to the readers of one language. */
export type DemoNotification = {
  readonly title: string
  readonly subtitle?: string
  readonly description: string
  readonly lang: 'en' | 'fr'
  /** The title of the publication that it is about. */
  readonly about?: string
  /** When it goes out, in seconds from the first start; never, when left out. A past one has gone out already. */
  readonly due?: number
}

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

export const demoNotifications: readonly DemoNotification[] = [
  {
    title: 'Le lac revient',
    subtitle: 'Nouvelle publication',
    description: 'Moins de filets, plus de poissons : cinq ans sur la rive, à lire dès maintenant.',
    lang: 'fr',
    about: 'Le lac qui revient : pêcher moins, vivre mieux',
    due: -3 * DAY,
  },
  {
    title: 'Counting stars from a hilltop',
    subtitle: 'A new publication',
    description: 'How one telescope filled a science class. Read the story, and pass it on.',
    lang: 'en',
    about: 'Counting Stars: How a Hilltop Observatory Fills a Science Class',
    due: MINUTE,
  },
  {
    title: 'Merci à vous',
    description: 'Un mot de fin d’année, gardé en réserve : sans date, il ne part jamais.',
    lang: 'fr',
  },
]
