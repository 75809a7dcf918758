import type { PortfolioMessages } from '../en/portfolio.ts'
import { counted, number } from './counts.ts'
import { faultText } from './portfolio-faults.ts'

const SUBJECTS = {
  sector: 'Le nom',
  introduction: 'L’introduction',
  summary: 'Le résumé',
  program: 'Les programmes',
  challenge: 'Le défi',
} as const

const UPLOADS: Readonly<Record<string, string>> = {
  'is required': 'Choisissez un dossier ou une archive zip.',
  'holds no files of a portfolio': 'Il n’y a pas de fichiers de portefeuille dedans.',
}

/** The French words of the portfolio and the load of its files. */
export const portfolio: PortfolioMessages = {
  portfolio: {
    title: 'Portefeuille',
    export: 'Exporter',
    organization: 'Organisation',
    organizations: 'Organisations',
    sectors: 'Secteurs',
    sector: (name) => `Secteur « ${name} »`,
    searchHint: 'Mots du nom',
    nothingFound: 'Aucune organisation n’a tous ces mots dans son nom.',
    unknown: 'Cette organisation n’existe pas',
    emptyTitle: 'Il n’y a pas encore de portefeuille',
    emptyText:
      'Un portefeuille présente des organisations avec leurs secteurs, leurs textes dans les deux langues, leurs images et leurs chiffres annuels. Il est chargé depuis des fichiers.',
    foundedIn: (year) => `Fondée en ${year}`,
    joinedIn: (year) => `Dans le portefeuille depuis ${year}`,
    figures: 'Chiffres par année',
    noFigures: 'Il n’y a pas de chiffres pour cette organisation.',
    year: 'Année',
    beneficiaries: 'Bénéficiaires',
    staff: 'Personnel',
    budget: 'Budget',
    budgetIn: (currency) => `Budget en ${currency}`,
    ages: (from, to) => (from === to || to === '' ? `${from} ans` : `de ${from} à ${to} ans`),
    allAges: (ages) => `Bénéficiaires : ${ages}`,
    video: (year) => `Vidéo de ${year}`,
    introduction: 'Introduction',
    summary: 'Résumé',
    programs: 'Programmes',
    challenges: 'Défis',
    missing: { en: 'L’anglais manque', fr: 'Le français manque' },
    lostHighlight: (highlight) => `Le passage mis en avant ne figure pas dans le texte : « ${highlight} »`,
    findings: (count) => counted(count, 'texte à compléter', 'textes à compléter'),
    noFindings: 'Tous les textes existent dans les deux langues, avec leur passage mis en avant.',
    subject: (about, challenge) => (challenge === null ? SUBJECTS[about] : `${SUBJECTS[about]} ${challenge}`),
    finding: {
      missing: (subject, language) => `${subject} : manque en ${language.toLowerCase()}`,
      fewer: (subject, language) =>
        `${subject} : moins nombreux en ${language.toLowerCase()} que dans l’autre langue`,
      'lost-highlight': (subject, language) =>
        `${subject} : le passage mis en avant ne figure pas dans le texte (${language.toLowerCase()})`,
    },
  },
  portfolioLoad: {
    title: 'Charger le portefeuille depuis des fichiers',
    link: 'Charger des fichiers',
    lead: 'Déposez le dossier du portefeuille, ou une archive zip. Vous voyez d’abord les erreurs et les changements. Rien ne change avant votre accord.',
    drop: 'Déposez le dossier ou l’archive zip ici',
    dropLabel: 'Dossier ou archive zip du portefeuille',
    chooseFolder: 'Choisir un dossier',
    chooseArchive: 'Choisir une archive zip',
    stepsLabel: 'Étapes',
    steps: { choose: 'Choisir', send: 'Envoyer', check: 'Vérifier', agree: 'Accepter', load: 'Charger' },
    sending: (count) => `Envoi de ${counted(count, 'fichier', 'fichiers')}…`,
    checking: (count) => `Vérification de ${counted(count, 'fichier', 'fichiers')}…`,
    loading: (count) => `Chargement de ${counted(count, 'fichier', 'fichiers')}…`,
    progress: 'Envoyé',
    reading: 'Lecture des fichiers',
    images: { checking: 'Vérification des images', storing: 'Enregistrement des images' },
    imagesDone: (step, done, of) => `${step} : ${number(done)} sur ${number(of)}`,
    faults: (count) => counted(count, 'erreur dans les fichiers', 'erreurs dans les fichiers'),
    nothingChanged: 'Rien n’a changé. Corrigez les fichiers, puis choisissez-les à nouveau.',
    folder: 'Dans le dossier',
    line: (line) => `Ligne ${line} :`,
    moreFaults: (count) => `Et ${number(count)} de plus.`,
    fault: faultText,
    upload: (message) => UPLOADS[message] ?? `Cet envoi ${faultText(message)}.`,
    tooLarge: 'Les fichiers sont trop lourds : 512 Mio en tout au plus.',
    notSent:
      'Les fichiers n’ont pas pu être envoyés. Ils ont peut-être changé depuis : choisissez-les à nouveau.',
    hasChanged:
      'Les fichiers ou le portefeuille ont changé depuis la vérification. Choisissez les fichiers à nouveau.',
    noPresence: 'Vous ne vous êtes pas reconnecté : rien n’a changé. Choisissez les fichiers à nouveau.',
    changes: (count) =>
      count === 0
        ? 'Aucune organisation ne change'
        : counted(count, 'organisation change', 'organisations changent'),
    kinds: { added: 'nouvelle', changed: 'modifiée', removed: 'supprimée' },
    byTable: 'Lignes par table',
    table: 'Table',
    added: 'Ajoutées',
    changed: 'Modifiées',
    removed: 'Supprimées',
    kept: 'Inchangées',
    loads: { replaced: 'la remplace', emptied: 'la vide', left: 'la laisse telle quelle' },
    tables: {
      sectors: 'Secteurs',
      organizations: 'Organisations',
      introductions: 'Introductions',
      summaries: 'Résumés',
      programs: 'Programmes',
      challenges: 'Défis',
      datasets: 'Chiffres',
    },
    columns: {
      name: 'Nom',
      since: 'Dans le portefeuille depuis',
      founded: 'Fondée en',
      website: 'Site web',
      sectors: 'Secteurs',
      logo: 'Logo',
      visual: 'Grande image',
      en: 'Nom en anglais',
      fr: 'Nom en français',
      text: 'Texte',
      highlight: 'Passage mis en avant',
      programTitle: 'Titre',
      programDescription: 'Description',
      beneficiaries: 'Bénéficiaires',
      ageFrom: 'À partir de l’âge de',
      ageTo: 'Jusqu’à l’âge de',
      staffHeadcount: 'Personnel',
      budget: 'Budget',
      budgetCurrency: 'Monnaie',
      vrVideoUrl: 'Vidéo',
    },
    differences: (name) => `Différences : ${name}`,
    sectorDifferences: 'Différences des secteurs',
    tableChange: (table, { added, changed, removed }) =>
      `${table} : ${[
        ...(added > 0 ? [counted(added, 'ajout', 'ajouts')] : []),
        ...(changed > 0 ? [counted(changed, 'modification', 'modifications')] : []),
        ...(removed > 0 ? [counted(removed, 'suppression', 'suppressions')] : []),
      ].join(', ')}`,
    remarks: (count) => counted(count, 'remarque sur les fichiers', 'remarques sur les fichiers'),
    yearOutside: (year) =>
      `Des organisations sont arrivées en ${year}. Les applications ne peuvent pas demander cette année : parlez d’ALMONER_JOINED_YEARS à votre administrateur.`,
    unusualImage: (file, width, height) => `${file} a une taille inhabituelle : ${width} × ${height} pixels.`,
    same: 'Ces fichiers sont le portefeuille actuel. Il n’y a rien à charger.',
    load: 'Charger ces fichiers',
    askTitle: 'Charger ces fichiers dans le portefeuille ?',
    ask: (added, changed, removed) =>
      `Organisations : ${number(added)} ajoutées, ${number(changed)} modifiées, ${number(removed)} supprimées. Les tables absentes des fichiers restent telles quelles. Les lecteurs le voient aussitôt.`,
    loaded: 'Les fichiers ont été chargés. Les lecteurs voient le changement.',
  },
}
