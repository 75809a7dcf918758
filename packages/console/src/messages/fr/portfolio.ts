import type { PortfolioMessages } from '../en/portfolio.ts'
import { counted } from './counts.ts'

const SUBJECTS = {
  sector: 'Le nom',
  introduction: 'L’introduction',
  summary: 'Le résumé',
  program: 'Les programmes',
  challenge: 'Le défi',
} as const

/** The French words of the portfolio. */
export const portfolio: PortfolioMessages = {
  portfolio: {
    title: 'Portefeuille',
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
}
