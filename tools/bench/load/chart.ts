import { type Line, ratioOf } from './line.ts'

const WIDTH = 880
const LABELS = 430
const RIGHT = 60
const ROW = 36
const BAR = 14
const TOP = 48
const BOTTOM = 34

/** The ends of the axis, in powers of two: a server twice as quick stands as far to the right as one half as quick to the left. */
const [LOW, HIGH] = [-4, 4]

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .small { font-size: 11px; fill: #57606a }
  .grid { stroke: #d0d7de } .even { stroke: #57606a; stroke-width: 1.5 }
  .met { fill: #2f6fb0 } .missed { fill: #b35900 } .free { fill: #8c959f }
  .least { stroke: #24292f; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 }
    .grid { stroke: #3d444d } .even { stroke: #9198a1 }
    .met { fill: #4a9eff } .missed { fill: #f0883e } .free { fill: #6e7681 }
    .least { stroke: #e6edf3 }
  }`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('`', '')

const placeOf = (ratio: number): number => {
  const power = Math.min(HIGH, Math.max(LOW, Math.log2(ratio)))
  return LABELS + ((power - LOW) / (HIGH - LOW)) * (WIDTH - LABELS - RIGHT)
}

const kindOf = ({ least }: Line, ratio: number): string => {
  if (least === undefined) return 'free'
  return ratio >= least ? 'met' : 'missed'
}

const bar = (line: Line, at: number): string => {
  const { telling } = ratioOf(line)
  const [from, to] = [Math.min(placeOf(1), placeOf(telling)), Math.max(placeOf(1), placeOf(telling))]
  const middle = TOP + at * ROW + ROW / 2
  const top = middle - BAR / 2
  const least =
    line.least === undefined
      ? ''
      : `<line class="least" x1="${placeOf(line.least).toFixed(1)}" x2="${placeOf(line.least).toFixed(1)}" y1="${top - 3}" y2="${top + BAR + 3}"/>`
  return `<text x="${LABELS - 10}" y="${middle - 2}" text-anchor="end">${escaped(line.title)}</text>
  <text class="small" x="${LABELS - 10}" y="${middle + 12}" text-anchor="end">/ ${escaped(line.beside)}</text>
  <rect class="${kindOf(line, telling)}" x="${from.toFixed(1)}" y="${top}" width="${Math.max(1, to - from).toFixed(1)}" height="${BAR}"/>${least}
  <text x="${WIDTH - RIGHT + 10}" y="${middle + 4}">${telling.toFixed(2)}</text>`
}

const gridLine = (power: number, bottom: number): string => {
  const x = placeOf(2 ** power).toFixed(1)
  const name = power < 0 ? `1/${2 ** -power}` : String(2 ** power)
  return `<line class="${power === 0 ? 'even' : 'grid'}" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}"/>
  <text class="small" x="${x}" y="${TOP - 8}" text-anchor="middle">${name}</text>`
}

/** The ratios as bars on a logarithmic axis, to the right of 1 where the service is the quicker one; a tick marks what is asked for. */
export const chartOf = (lines: ReadonlyArray<Line>): string => {
  const bottom = TOP + lines.length * ROW
  const powers = Array.from({ length: HIGH - LOW + 1 }, (_, n) => LOW + n)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + BOTTOM}" viewBox="0 0 ${WIDTH} ${bottom + BOTTOM}" role="img" aria-label="How the service compares with its counterparts">
  <style>${STYLE}</style>
  <text x="10" y="20" font-weight="bold">Almoner / its counterpart</text>
  ${powers.map((power) => gridLine(power, bottom)).join('\n  ')}
  ${lines.map(bar).join('\n  ')}
  <text class="small" x="10" y="${bottom + 22}">Right of 1: the service is the quicker one. Tick: what is asked for. Blue: met. Orange: missed. Grey: nothing is asked for.</text>
</svg>
`
}
