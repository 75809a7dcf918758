import { type Branded, boundedText } from '../values/refined.ts'

/** The name of the portfolio, an organization, a program, or a sector in one language: 1 to 200 characters. */
export type PortfolioName = Branded<string, 'PortfolioName'>

/** Reads a name from a row: NFC, 1 to 200 characters, not blank (B6). */
export const PortfolioName = boundedText<PortfolioName>('PortfolioName', 200, { description: 'Name.' })

/** A text about an organization: 1 to 10,000 characters. */
export type PortfolioText = Branded<string, 'PortfolioText'>

/** Reads a text from a row: NFC, 1 to 10,000 characters, not blank (B6). */
export const PortfolioText = boundedText<PortfolioText>('PortfolioText', 10_000, { description: 'Text.' })

/** An end of a range of ages, as people write it: 1 to 50 characters. */
export type Age = Branded<string, 'Age'>

/** Reads an age from a row: NFC, 1 to 50 characters, not blank (B6). */
export const Age = boundedText<Age>('Age', 50, { description: 'Age.' })
