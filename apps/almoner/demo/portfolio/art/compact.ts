/** Two decimals near zero, one from a hundred up, where a hundredth cannot be seen. */
const shorter = (number: string): string => {
  const value = Number(number)
  const kept = Math.abs(value) >= 100 ? Math.round(value * 10) / 10 : value
  return String(kept).replace(/^(-?)0\./, '$1.')
}

/** Where numbers stand: path data, places and sizes. Colours and names hold none that may change. */
const numeric =
  / (?:d|x|y|r|rx|ry|cx|cy|width|height|transform|(?:fill-|stroke-)?opacity|stroke-width)="[^"]+"/g

const round = ' stroke-linecap="round" stroke-linejoin="round"'

/** One shape with its fill, and two or more after it that are filled alike. */
const alike = (() => {
  const shape = '<(?:path|circle|ellipse|rect)(?: (?!fill=)[a-z-]+="[^"]*")*'
  return new RegExp(`${shape}( fill="[^"]+")[^>]*/>(?:${shape}\\1[^>]*/>){2,}`, 'g')
})()

/**
 * Says the same picture in fewer characters, so that a painted scene stays a small file:
 * empty elements close themselves, what changes nothing goes, numbers lose what nobody sees,
 * and what many shapes share is said once.
 */
export const compact = (svg: string): string =>
  svg
    .replaceAll(/><\/(?:path|circle|ellipse|rect|stop)>/g, '/>')
    .replaceAll(round, '')
    .replace('<svg ', `<svg${round} `)
    .replaceAll(/ scale\(1\)(?=")| c[xy]="0"/g, '')
    .replaceAll(/<g transform="rotate\(0\)">((?:<[a-z]+ [^>]*\/>)*)<\/g>/g, '$1')
    .replaceAll(numeric, (attribute) => attribute.replaceAll(/-?\d+\.\d+/g, shorter))
    .replaceAll(/ d="[^"]+"/g, (data) => data.replaceAll(/[ ,]-/g, '-'))
    .replaceAll(/(?<=url\(#|id=")paint/g, 'p')
    .replaceAll(alike, (run, fill: string) => `<g${fill}>${run.replaceAll(fill, '')}</g>`)
