import { useWidth } from '../charts/charts.tsx'
import type { OperationMessages } from '../messages/en/operations.ts'
import { useMessages } from '../session/session.tsx'
import type { LiveFigures } from './operations-api.ts'

type Words = OperationMessages['operations']['hexagon']

/** A side of the hexagon: a group of ports, its adapter, and what it does now. */
interface Side {
  readonly key: keyof Words['groups']
  readonly group: string
  readonly adapter: string
  readonly figure: string
  /** Whether an operator should look at it. */
  readonly needsCare: boolean
}

const GIBIBYTE = 1024 ** 3

/** Milliseconds for which a due notification may wait for a review. */
const PUNCTUAL = 120_000

/** Rounds a rate: whole numbers from ten on, one decimal below. */
const rounded = (rate: number): number => (rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))

/** Returns the six sides: the three that drive the domain, then the three that it uses. */
const sidesOf = (live: LiveFigures, words: Words): ReadonlyArray<Side> => {
  const { figures, requestsPerSecond, operationsPerSecond } = live
  const { at, adapters, queue, nodes, paused, freeBytes } = figures
  const { groups, adapters: names } = words
  const rateText = (rate: number | undefined) =>
    rate === undefined ? words.unmeasured : words.rate(rounded(rate))
  const isUnsent = adapters.push.some((way) => way === 'log' || way === 'file')
  const known: Readonly<Record<string, string>> = { folder: names.folder, S3: names.S3 }
  const pushFigure = isUnsent ? words.unsent : words.running(adapters.push.length)
  const side = (key: Side['key'], adapter: string, figure: string, needsCare = false): Side => ({
    key,
    group: groups[key],
    adapter: adapter === '' ? words.unmeasured : adapter,
    figure,
    needsCare,
  })
  return [
    side('requests', names.http, rateText(requestsPerSecond)),
    side(
      'sending',
      names.review,
      words.waiting(queue.pending),
      queue.dueSince !== '' && Date.parse(at) - Date.parse(queue.dueSince) > PUNCTUAL,
    ),
    side('nodes', names.heartbeat, words.running(nodes)),
    side('database', adapters.database, rateText(operationsPerSecond)),
    side(
      'storage',
      known[adapters.storage] ?? adapters.storage,
      freeBytes === null ? words.unmeasured : words.free(Math.floor(freeBytes / GIBIBYTE)),
      freeBytes !== null && freeBytes < GIBIBYTE,
    ),
    side(
      'push',
      adapters.push.join(', '),
      paused.length > 0 ? words.paused(paused.length) : pushFigure,
      paused.length > 0,
    ),
  ]
}

/** What the domain holds; undefined until it is counted. */
export interface Holdings {
  readonly items: number
  readonly devices: number
}

/** Height of a box, and the room between it and the hexagon, in pixels. */
const BOX = 74
const GAP = 44
/** The widest drawing. */
const WIDEST = 760
/** Room for the outlines of the boxes. */
const EDGE = 1

type Point = readonly [x: number, y: number]

/** Returns the corners of a hexagon that lies on a side, clockwise from the left one. */
const cornersOf = ([x, y]: Point, radius: number): ReadonlyArray<Point> =>
  [180, 240, 300, 0, 60, 120].map((degrees): Point => {
    const angle = (degrees * Math.PI) / 180
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })

const middleOf = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2]

const SideBox = ({
  side,
  left,
  top,
  width,
}: {
  readonly side: Side
  readonly left: number
  readonly top: number
  readonly width: number
}) => {
  const x = left + width / 2
  return (
    <g className={`hexagon-box${side.needsCare ? ' care' : ''}`}>
      <rect x={left} y={top} width={width} height={BOX} rx="8" />
      <text className="hexagon-group" x={x} y={top + 22}>
        {side.group}
      </text>
      <text className="hexagon-adapter" x={x} y={top + 41}>
        {side.adapter}
      </text>
      <text className="hexagon-figure" x={x} y={top + 61}>
        {side.figure}
      </text>
    </g>
  )
}

/** The sides in the order of the corners: the three above from left to right, then the three below. */
const Drawing = ({
  sides,
  holdings,
  width,
}: {
  readonly sides: ReadonlyArray<Side>
  readonly holdings: Holdings | undefined
  readonly width: number
}) => {
  const { hexagon: words } = useMessages().operations
  const radius = Math.min(130, width * 0.29)
  const half = radius * Math.sin(Math.PI / 3)
  const height = 2 * (EDGE + BOX + GAP + half)
  const center: Point = [width / 2, height / 2]
  const corners = cornersOf(center, radius)
  const room = Math.min(width / 3, 230)
  const boxWidth = room - 6
  const title = sides.map(({ group, adapter, figure }) => `${group}: ${adapter}, ${figure}`).join('; ')
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
      {sides.map((side, at) => {
        const isAbove = at < 3
        const column = isAbove ? at : at - 3
        const left = width / 2 + (column - 1.5) * room + 3
        const top = isAbove ? EDGE : height - EDGE - BOX
        const corner = isAbove ? column : 5 - column
        const [from, to] = [corners[corner] as Point, corners[(corner + 1) % 6] as Point]
        const [x, y] = middleOf(from, to)
        return (
          <g key={side.key}>
            <path
              className="hexagon-wire"
              d={`M${x.toFixed(1)} ${y.toFixed(1)}L${(left + boxWidth / 2).toFixed(1)} ${isAbove ? top + BOX : top}`}
            />
            <SideBox side={side} left={left} top={top} width={boxWidth} />
          </g>
        )
      })}
      <path
        className="hexagon-domain"
        d={`M${corners.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`}
      />
      {sides.map((side, at) => {
        const corner = at < 3 ? at : 5 - (at - 3)
        const [[ax, ay], [bx, by]] = [corners[corner] as Point, corners[(corner + 1) % 6] as Point]
        return (
          <path
            key={side.key}
            className={`hexagon-side${side.needsCare ? ' care' : ''}`}
            d={`M${ax.toFixed(1)} ${ay.toFixed(1)}L${bx.toFixed(1)} ${by.toFixed(1)}`}
          />
        )
      })}
      <text className="hexagon-name" x={center[0]} y={center[1] - 14}>
        {words.domain}
      </text>
      {holdings !== undefined && (
        <>
          <text className="hexagon-count" x={center[0]} y={center[1] + 12}>
            {words.items(holdings.items)}
          </text>
          <text className="hexagon-count" x={center[0]} y={center[1] + 33}>
            {words.devices(holdings.devices)}
          </text>
        </>
      )}
    </svg>
  )
}

/** The service as a hexagon: the domain in the middle, and one side for each group of ports with its adapter and what it does now. */
export const Hexagon = ({
  live,
  holdings,
}: {
  readonly live: LiveFigures
  readonly holdings: Holdings | undefined
}) => {
  const { charts, operations } = useMessages()
  const { hexagon: words } = operations
  const [ref, width] = useWidth()
  const sides = sidesOf(live, words)
  const counts = holdings === undefined ? [] : [words.items(holdings.items), words.devices(holdings.devices)]
  return (
    <figure className="chart hexagon">
      <figcaption>{words.title}</figcaption>
      <div ref={ref} className="chart-space">
        {width > 0 && <Drawing sides={sides} holdings={holdings} width={Math.min(width, WIDEST)} />}
      </div>
      <details className="chart-table">
        <summary>{charts.table}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className="chart-scroll" aria-label={words.title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.part}</th>
                <th scope="col">{words.adapter}</th>
                <th scope="col">{words.figure}</th>
              </tr>
            </thead>
            <tbody>
              {counts.length > 0 && (
                <tr>
                  <th scope="row">{words.domain}</th>
                  <td>{words.unmeasured}</td>
                  <td>{counts.join(', ')}</td>
                </tr>
              )}
              {sides.map(({ key, group, adapter, figure }) => (
                <tr key={key}>
                  <th scope="row">{group}</th>
                  <td>{adapter}</td>
                  <td>{figure}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}
