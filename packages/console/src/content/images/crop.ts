/** A width and a height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The part of an image inside the frame: its centre, as shares of the image, and the enlargement; 1 fills the frame exactly. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

/** The middle of the image, as large as fits. */
export const CENTRED: Crop = { x: 0.5, y: 0.5, zoom: 1 }

export const MOST_ZOOM = 4

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Returns the part of the image, in its pixels, that a crop shows in a frame. */
export const cropArea = (
  image: Size,
  frame: Size,
  { x, y, zoom }: Crop,
): Size & { left: number; top: number } => {
  const scale = Math.max(frame.width / image.width, frame.height / image.height) * zoom
  const width = frame.width / scale
  const height = frame.height / scale
  return { left: x * image.width - width / 2, top: y * image.height - height / 2, width, height }
}

/** Returns the crop, moved so that the frame is full. */
export const keepInside = (image: Size, frame: Size, crop: Crop): Crop => {
  const zoom = clamp(crop.zoom, 1, MOST_ZOOM)
  const { width, height } = cropArea(image, frame, { ...crop, zoom })
  const [halfX, halfY] = [width / image.width / 2, height / image.height / 2]
  return { x: clamp(crop.x, halfX, 1 - halfX), y: clamp(crop.y, halfY, 1 - halfY), zoom }
}

/** Moves the image under the frame by pixels of the frame. */
export const moveBy = (image: Size, frame: Size, crop: Crop, right: number, down: number): Crop => {
  const area = cropArea(image, frame, crop)
  const [x, y] = [
    crop.x - (right * area.width) / frame.width / image.width,
    crop.y - (down * area.height) / frame.height / image.height,
  ]
  return keepInside(image, frame, { ...crop, x, y })
}
