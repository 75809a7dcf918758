import type { DemoLibraryItem } from './content.ts'

export const library2025: readonly DemoLibraryItem[] = [
  {
    title: 'What a Well Is Worth: Ten Villages, Five Years On',
    description:
      'Five years after the last pump was handed over, our evaluators went back to ten villages in northern Ghana, unannounced. Nine wells were still giving clean water, and the tenth was being repaired with the village’s own savings. The report follows the money, the spare parts and the women who keep the books, and it ends with the six questions we now ask before we drill anywhere.',
    lang: 'en',
    link: 'https://publications.example.org/what-a-well-is-worth',
    publicationDate: '2025-01-22',
    restricted: false,
    status: 'Live',
    labels: ['water', 'community', 'reports'],
    scene: { motif: 'well', palette: 'savanna', seed: 7 },
  },
  {
    title: 'Une école au bout du sentier',
    description:
      'À Ambatosoa, sur les hautes terres malgaches, il fallait deux heures de marche pour rejoindre la classe la plus proche. Les familles ont choisi le terrain, moulé les briques et obtenu qu’une institutrice s’installe au village. Nous racontons cette première année, des fondations à la remise des bulletins, avec les photographies prises par les élèves eux-mêmes.',
    lang: 'fr',
    link: 'https://publications.example.org/une-ecole-au-bout-du-sentier',
    publicationDate: '2025-02-18',
    restricted: false,
    status: 'Live',
    labels: ['education', 'community'],
    scene: { motif: 'school', palette: 'dawn', seed: 12 },
  },
  {
    title: 'The Nurse Arrives by Bicycle',
    description:
      'A motorbike breaks down, a bicycle gets mended. In Malawi’s Lunzira district, forty-two nurses now reach their patients on sturdy bicycles with a cool box, a blood-pressure cuff and a phone that works offline. This photo essay rides along for a week, from the first antenatal visit before sunrise to the vaccination tent on market day.',
    lang: 'en',
    link: 'https://publications.example.org/the-nurse-arrives-by-bicycle',
    publicationDate: '2025-04-09',
    restricted: false,
    status: 'Live',
    labels: ['health', 'community'],
    scene: { motif: 'clinic', palette: 'lagoon', seed: 21 },
  },
  {
    title: 'Pépinières villageoises : le guide pratique',
    description:
      'Quelles essences semer, à quelle saison, et qui arrose pendant les congés scolaires ? Ce guide de 48 pages réunit l’expérience de dix-sept pépinières du centre du Togo, avec des calendriers à photocopier et le budget réel d’une première campagne. On y lit aussi ce qui n’a pas marché, parce qu’un semis raté bien raconté en évite dix autres.',
    lang: 'fr',
    link: 'https://publications.example.org/pepinieres-villageoises',
    publicationDate: '2025-06-30',
    restricted: false,
    status: 'Live',
    labels: ['environment', 'farming'],
    scene: { motif: 'nursery', palette: 'meadow', seed: 4 },
  },
  {
    title: 'Reading After Dark: Library Hours That Suit Working Families',
    description:
      'When three neighbourhood libraries in the Colombian city of Valdorra moved their closing time from five to nine, visits doubled and the average reader grew eleven years older. This short study looks at what it cost, who came and what they borrowed. It includes a rota that small teams can copy, and a frank chapter on the evenings when nobody came at all.',
    lang: 'en',
    link: 'https://publications.example.org/reading-after-dark',
    publicationDate: '2025-09-16',
    restricted: false,
    status: 'Live',
    labels: ['education', 'community'],
    scene: { motif: 'library', palette: 'night', seed: 33 },
  },
  {
    title: 'Lettre aux donateurs : ce que nos échecs nous ont appris',
    description:
      'Trois projets se sont arrêtés cette année avant leur terme. Plutôt que de les passer sous silence, notre directrice, Maud Kervalen, explique ce qui a été tenté, à quel moment il aurait fallu renoncer et ce que sont devenus les fonds. Cette lettre est réservée à celles et ceux qui nous soutiennent : vous nous faites confiance, nous vous devons les comptes, même quand ils fâchent.',
    lang: 'fr',
    link: 'https://publications.example.org/lettre-aux-donateurs-2025',
    publicationDate: '2025-10-14',
    restricted: true,
    status: 'Live',
    labels: ['reports'],
    scene: { motif: 'book', palette: 'harvest', seed: 16 },
  },
  {
    title: 'Field Manual: Drip Irrigation for School Gardens (First Edition)',
    description:
      'The first edition of our manual shows how to water a school garden with buckets, hose and forty metres of punctured pipe. It served well in sixty Kenyan schools, whose teachers then sent us two hundred corrections. We keep it here for reference; please use the second edition when you plan a new garden.',
    lang: 'en',
    link: 'https://publications.example.org/drip-irrigation-first-edition',
    publicationDate: '2025-11-20',
    restricted: false,
    status: 'Archived',
    labels: ['farming', 'water', 'education'],
    scene: { motif: 'nursery', palette: 'savanna', seed: 28 },
  },
]
