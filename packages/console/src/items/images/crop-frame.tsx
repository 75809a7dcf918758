import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { type Crop, cropArea, keepInside, moveBy, type Size } from './crop.ts'

/** Pixels that an arrow key moves the image, and with Shift. */
const STEP = 8
const LARGE_STEP = 40
const ZOOM_STEP = 1.1

const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const ZOOMS: Readonly<Record<string, number>> = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': 1 / ZOOM_STEP }

type Point = readonly [x: number, y: number]

const distance = (points: ReadonlyMap<number, Point>): number => {
  const [[ax, ay] = [0, 0], [bx, by] = [0, 0]] = [...points.values()]
  return Math.hypot(ax - bx, ay - by)
}

/** The frame over the image. One pointer moves the image, two enlarge it; so do the wheel, the arrow keys, and plus and minus. */
export const CropFrame = ({
  canvas,
  image,
  frame,
  crop,
  onChange,
  label,
}: {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly image: ImageBitmap
  readonly frame: Size
  readonly crop: Crop
  readonly onChange: (crop: Crop) => void
  readonly label: string
}) => {
  const pointers = useRef(new Map<number, Point>())

  useEffect(() => {
    const { left, top, width, height } = cropArea(image, frame, crop)
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    context.imageSmoothingQuality = 'high'
    context.fillStyle = 'white'
    context.fillRect(0, 0, frame.width, frame.height)
    context.drawImage(image, left, top, width, height, 0, 0, frame.width, frame.height)
  }, [canvas, image, frame, crop])

  const zoomBy = (factor: number) => onChange(keepInside(image, frame, { ...crop, zoom: crop.zoom * factor }))
  const move = (right: number, down: number) => onChange(moveBy(image, frame, crop, right, down))
  const latestZoom = useRef(zoomBy)
  latestZoom.current = zoomBy

  // React listens to the wheel passively, but the page must not scroll meanwhile.
  useEffect(() => {
    const element = canvas.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      latestZoom.current(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP)
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [canvas])

  const onKeyDown = (event: KeyboardEvent) => {
    const [arrow, zoom] = [ARROWS[event.key], ZOOMS[event.key]]
    const step = event.shiftKey ? LARGE_STEP : STEP
    if (arrow !== undefined) move(arrow[0] * step, arrow[1] * step)
    else if (zoom !== undefined) zoomBy(zoom)
    else return
    event.preventDefault()
  }
  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, [event.clientX, event.clientY])
  }
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const before = pointers.current.get(event.pointerId)
    if (before === undefined) return
    const apart = distance(pointers.current)
    pointers.current.set(event.pointerId, [event.clientX, event.clientY])
    const scale = frame.width / event.currentTarget.clientWidth
    if (pointers.current.size > 1) zoomBy(distance(pointers.current) / Math.max(1, apart))
    else move((event.clientX - before[0]) * scale, (event.clientY - before[1]) * scale)
  }
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId)

  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the keys and pointers of this element are its own
    <canvas
      ref={canvas}
      className="crop-frame"
      width={frame.width}
      height={frame.height}
      tabIndex={0}
      role="application"
      aria-label={label}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={release}
      onPointerCancel={release}
    />
  )
}
