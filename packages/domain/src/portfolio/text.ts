import type * as t from 'io-ts'
import { boundedText } from '../values/refined.ts'

interface PortfolioNameBrand {
  readonly PortfolioName: unique symbol
}
/** The name of the portfolio, an organization, a program, or a sector in one language: 1 to 200 characters. */
export type PortfolioName = t.Branded<string, PortfolioNameBrand>

/** Reads a name from a row: NFC, 1 to 200 characters, not blank (B6). */
export const PortfolioName = boundedText<PortfolioName>('PortfolioName', 200, { description: 'Name.' })

interface PortfolioTextBrand {
  readonly PortfolioText: unique symbol
}
/** A text about an organization: 1 to 10,000 characters. */
export type PortfolioText = t.Branded<string, PortfolioTextBrand>

/** Reads a text from a row: NFC, 1 to 10,000 characters, not blank (B6). */
export const PortfolioText = boundedText<PortfolioText>('PortfolioText', 10_000, { description: 'Text.' })

interface AgeBrand {
  readonly Age: unique symbol
}
/** An end of a range of ages, as people write it: 1 to 50 characters. */
export type Age = t.Branded<string, AgeBrand>

/** Reads an age from a row: NFC, 1 to 50 characters, not blank (B6). */
export const Age = boundedText<Age>('Age', 50, { description: 'Age.' })
