import { EMPTY_PORTFOLIO, type PortfolioContent, type PortfolioName } from '@almoner/domain/portfolio'
import { sampleOrganization } from '../../packages/testkit/src/contracts/index.ts'

const wordsOf = (text: string): ReadonlyArray<string> => text.split(' ')

// Numbers of words that have no common divisor: each combination comes once before any comes again.
const FIRST = wordsOf(
  'Association Fondation École Comité Réseau Alliance Maison Atelier Centre Institut Cercle',
)
const ABOUT = wordsOf(
  'Eau Santé Énergie Lecture Forêts Musique Abeilles Semences Vaccins Marais Puits Justice Refuge Métiers Calcul Pain ' +
    'Rivières Oiseaux Récifs Théâtre Vélos Potagers Langues Archives Logement Soleil Vent Troupeaux Tissage Sommeil Secours',
)
const PLACES = wordsOf(
  'Tombouctou Québec Genève Kolkata Ouagadougou Valparaíso Bergen Łódź Nantes Kigali Hanoï Cusco Zürich Dakar Oslo Lomé Quito',
)

const of = (words: ReadonlyArray<string>, n: number): string => words[n % words.length] ?? ''

/** Two words that fewer than twenty of 10,000 names contain, so that a search must read every name. */
export const TWO_WORDS = 'semences tombouctou'

/** Creates a portfolio with this number of organizations, whose names consist of recurring words. */
export const manyOrganizations = (count: number): PortfolioContent => ({
  ...EMPTY_PORTFOLIO,
  name: 'The portfolio',
  organizations: Array.from({ length: count }, (_, n) => {
    const name = `${of(FIRST, n)} ${of(ABOUT, n)} de ${of(PLACES, n)} ${Math.floor(n / 100)}`
    return sampleOrganization(`org-${n.toString().padStart(6, '0')}`, { name: name as PortfolioName })
  }),
})
