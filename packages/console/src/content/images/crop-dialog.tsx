import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { CENTRED, type Crop, cropArea, keepInside, MOST_ZOOM, moveBy, type Size } from './crop.ts'
import { toJpeg } from './use-images.ts'

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
const CropFrame = ({
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

/** Crops an image to the size that the service takes. The frame shows exactly what will be uploaded. */
export const CropDialog = ({
  image,
  frame,
  onDone,
  onCancel,
}: {
  readonly image: ImageBitmap
  readonly frame: Size
  readonly onDone: (blob: Blob) => void
  readonly onCancel: () => void
}) => {
  const { images, cancel } = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [crop, setCrop] = useState<Crop>(CENTRED)
  useEffect(() => dialog.current?.showModal(), [])
  const accept = async () => {
    if (canvas.current !== null) onDone(await toJpeg(canvas.current))
  }
  const isSmall = image.width < frame.width || image.height < frame.height
  return (
    <dialog ref={dialog} className="dialog crop" aria-labelledby="crop-title" onCancel={onCancel}>
      <h2 id="crop-title">{images.cropTitle}</h2>
      <p className="hint">{images.cropHint(frame.width, frame.height)}</p>
      <CropFrame
        canvas={canvas}
        image={image}
        frame={frame}
        crop={crop}
        onChange={setCrop}
        label={images.cropLabel}
      />
      <label className="zoom">
        <span className="label">{images.zoom}</span>
        <input
          type="range"
          min={1}
          max={MOST_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={(event) =>
            setCrop(keepInside(image, frame, { ...crop, zoom: Number(event.target.value) }))
          }
        />
      </label>
      {isSmall && <p className="notice">{images.small}</p>}
      <div className="actions">
        <Button onPress={onCancel}>{cancel}</Button>
        <Button kind="primary" onPress={() => void accept()}>
          {images.use}
        </Button>
      </div>
    </dialog>
  )
}
