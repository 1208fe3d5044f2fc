import { clampTo, type Size } from "#web/graph/geometry.ts";

/** At most so many device pixels per CSS pixel: more cost time and show nothing more. */
const maxRatio = 2;

/** Device pixels per CSS pixel of a drawing. */
export function pixelRatio(): number {
  return clampTo(devicePixelRatio, 1, maxRatio);
}

/** Gives a canvas as many pixels as its element has; the size of the element. */
export function sizeCanvas(canvas: HTMLCanvasElement): Size {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = pixelRatio();
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  return { width, height };
}
