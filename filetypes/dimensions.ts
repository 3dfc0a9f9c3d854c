const SIDE_PIXELS_MAX = 16_384
const PICTURE_PIXELS_MAX = 50_000_000

/** Whether a picture can be decoded at reasonable cost: neither its sides nor its area are excessive. */
export function isReasonablePicture(width: number, height: number): boolean {
  const sides = [width, height]
  return (
    sides.every((side) => side >= 1 && side <= SIDE_PIXELS_MAX) &&
    width * height <= PICTURE_PIXELS_MAX
  )
}
