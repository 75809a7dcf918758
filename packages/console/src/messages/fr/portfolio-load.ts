import type { PortfolioLoadMessages } from '../en/portfolio-load.ts'
import { counted, number } from './counts.ts'
import { faultText } from './portfolio-faults.ts'

const UPLOADS: Readonly<Record<string, string>> = {
  'is required': 'Choisissez un dossier ou une archive zip.',
  'holds no files of a portfolio': 'Il n’y a pas de fichiers de portefeuille dedans.',
}

/** The French words of loads of the portfolio. */
export const portfolioLoad: PortfolioLoadMessages = {
  portfolioLoad: {
    title: 'Charger le portefeuille depuis des fichiers',
    link: 'Charger des fichiers',
    lead: 'Déposez le dossier du portefeuille, ou une archive zip. Vous voyez d’abord les erreurs et les changements. Rien ne change avant votre accord.',
    drop: 'Déposez le dossier ou l’archive zip ici',
    dropLabel: 'Dossier ou archive zip du portefeuille',
    chooseFolder: 'Choisir un dossier',
    chooseArchive: 'Choisir une archive zip',
    checking: (count) => `Vérification de ${counted(count, 'fichier', 'fichiers')}…`,
    loading: (count) => `Chargement de ${counted(count, 'fichier', 'fichiers')}…`,
    progress: 'Envoyé',
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
