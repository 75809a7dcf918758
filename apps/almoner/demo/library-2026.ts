import type { DemoLibraryItem } from './content.ts'

export const library2026: readonly DemoLibraryItem[] = [
  {
    title: 'Terraces That Hold: Soil, Rain and Patience in the Ombrel Valley',
    description:
      'After the landslides of 2019, farmers in Nepal’s Ombrel Valley rebuilt four hundred terraces with stone, vetiver grass and a great deal of argument. Soil scientist Ishana Thapaliya measured the slopes through six monsoons, and the walls are holding. Her account is a field notebook, a history of a valley and a practical case for paying people to maintain what they have built.',
    lang: 'en',
    link: 'https://publications.example.org/terraces-that-hold',
    publicationDate: '2026-01-13',
    restricted: false,
    status: 'Live',
    labels: ['environment', 'farming', 'science'],
    scene: { motif: 'terraces', palette: 'monsoon', seed: 9 },
  },
  {
    title: 'Le lac qui revient : pêcher moins, vivre mieux',
    description:
      'Sur le lac Anozé, au Bénin, les pêcheurs ont décidé eux-mêmes de laisser reposer leurs filets trois mois par an. La première saison fut rude ; à la troisième, les prises avaient presque doublé et les enfants revoyaient des hérons. Cette enquête donne la parole aux pêcheurs, aux mareyeuses et aux sceptiques, puis détaille le fonds qui a permis à chacun de tenir jusqu’au retour du poisson.',
    lang: 'fr',
    link: 'https://publications.example.org/le-lac-qui-revient',
    publicationDate: '2026-02-24',
    restricted: false,
    status: 'Live',
    labels: ['environment', 'community'],
    scene: { motif: 'lake', palette: 'dawn', seed: 9 },
  },
  {
    title: 'Midterm Review: Power for Village Clinics',
    description:
      'Thirty-one clinics in rural Peru now keep their vaccines cold with power they make themselves. This review, shared with donors before publication, sets out what has been spent, where we are behind schedule and why batteries turned out to matter more than panels. It closes with three options for the remaining budget, on which we would welcome your view.',
    lang: 'en',
    link: 'https://publications.example.org/power-for-village-clinics-midterm',
    publicationDate: '2026-04-21',
    restricted: true,
    status: 'Live',
    labels: ['health', 'environment', 'reports'],
    scene: { motif: 'turbines', palette: 'dusk', seed: 5 },
  },
  {
    title: 'Bibliobus des hauts plateaux : rapport d’étape',
    description:
      'Après dix-huit mois sur les pistes, le bibliobus comptait 3 200 lecteurs inscrits et une boîte de vitesses neuve. Ce rapport d’étape présente le parcours, les prêts par village et le coût de chaque tournée. Il a été remplacé depuis par le bilan final, mais nous le gardons en ligne pour les donateurs qui ont suivi l’aventure dès ses débuts.',
    lang: 'fr',
    link: 'https://publications.example.org/bibliobus-rapport-etape',
    publicationDate: '2026-06-09',
    restricted: true,
    status: 'Archived',
    labels: ['education', 'reports'],
    scene: { motif: 'bus', palette: 'harvest', seed: 14 },
  },
  {
    title: 'Counting Stars: How a Hilltop Observatory Fills a Science Class',
    description:
      'An old weather station above Sarangi, in the Indian Himalaya, has become the busiest classroom in the district. Pupils log variable stars on clear nights and grind their own mirrors when the clouds come in. The teachers who began it explain how they found the telescope, convinced the parents and doubled the number of girls who choose physics.',
    lang: 'en',
    link: 'https://publications.example.org/counting-stars',
    publicationDate: '2026-09-08',
    restricted: false,
    status: 'Live',
    labels: ['science', 'education'],
    scene: { motif: 'observatory', palette: 'night', seed: 40 },
  },
  {
    title: 'Soigner là où la route s’arrête : carnet des relais de santé',
    description:
      'Elles pèsent les nourrissons, repèrent les fièvres et savent quand il faut appeler l’ambulance. Pendant un an, douze relais de santé du sud du Sénégal ont tenu un carnet de bord dont nous publions les plus belles pages. Un dossier pratique complète le récit : la formation, le matériel et ce que coûte vraiment une tournée.',
    lang: 'fr',
    link: 'https://publications.example.org/soigner-la-ou-la-route-s-arrete',
    publicationDate: '2026-10-06',
    restricted: false,
    status: 'Draft',
    labels: ['health', 'community'],
    scene: { motif: 'clinic', palette: 'savanna', seed: 18 },
  },
  {
    title: 'Merrivane Foundation Annual Review 2026: Proof for Donors',
    description:
      'A year in which 118 partner schools opened a library corner, 64 villages gained safe water and one ambitious merger did not happen. The review brings together the accounts, the stories behind them and the plan for the next three years. This proof awaits the auditors’ letter and the last two photographs.',
    lang: 'en',
    link: 'https://publications.example.org/annual-review-2026',
    publicationDate: '2026-10-20',
    restricted: true,
    status: 'Draft',
    labels: ['reports', 'education', 'water'],
    scene: { motif: 'circle', palette: 'meadow', seed: 11 },
  },
]
