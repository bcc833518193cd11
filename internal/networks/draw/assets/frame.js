// Turns strokes into the network's input image. It uses the same arithmetic as the
// Go package mnist (Rasterise, Frame, Shrink), so that hand-drawn digits are framed
// as in MNIST.
//
// A stroke is an array of [x, y] in the unit square, which is the whole canvas; y
// grows downwards. Images are square, row by row, with bright ink on black.

export const SIDE = 28; // width and height of the network's input
export const SRC = 140; // width and height of downsample's input
export const PEN = 0.08; // the pen's diameter, in canvas units

const BOX = 20; // MNIST fits every digit into a square of this size

/** rasterise draws strokes with a round pen of the given diameter (in canvas
 * units), soft-edged: size×size bytes. */
export function rasterise(strokes, size, widthFraction) {
  const image = new Uint8Array(size * size);
  const radius = (widthFraction / 2) * size;
  for (const stroke of strokes) {
    stroke.forEach((to, i) => {
      const from = stroke[Math.max(i - 1, 0)];
      segment(image, size, radius, from[0] * size, from[1] * size, to[0] * size, to[1] * size);
    });
  }
  return image;
}

// segment brightens the pixels whose centres lie within radius of the line from
// a to b; the last pixel of distance fades out.
function segment(image, size, radius, ax, ay, bx, by) {
  const reach = radius + 0.5;
  const left = Math.max(0, Math.trunc(Math.min(ax, bx) - reach));
  const right = Math.min(size - 1, Math.trunc(Math.max(ax, bx) + reach));
  const top = Math.max(0, Math.trunc(Math.min(ay, by) - reach));
  const bottom = Math.min(size - 1, Math.trunc(Math.max(ay, by) + reach));
  const dx = bx - ax, dy = by - ay;
  const length = dx * dx + dy * dy;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const px = x + 0.5, py = y + 0.5;
      let t = 0;
      if (length > 0) t = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / length));
      const ex = px - ax - t * dx, ey = py - ay - t * dy;
      const squared = ex * ex + ey * ey;
      if (squared >= reach * reach) continue;
      const cover = Math.min(1, reach - Math.sqrt(squared));
      image[y * size + x] = Math.max(image[y * size + x], Math.trunc(255 * cover + 0.5));
    }
  }
}

/** frame gives the src×src image of a drawing, as values from 0 to 1 that are
 * whole 255ths: as MNIST frames its digits (cut out, scaled into 20×20 pixels,
 * centred by mass), or, when centred is false, the whole canvas as it is. Shrunk
 * by shrink or by downsample it is what the network sees. */
export function frame(strokes, { src = SRC, width = PEN, centred = true } = {}) {
  const drawing = rasterise(strokes, src, width);
  const image = centred ? centre(drawing, src) : drawing;
  return { src, image: Float32Array.from(image, (byte) => byte / 255) };
}

function centre(drawing, src) {
  const out = new Uint8Array(src * src);
  const ink = inkBounds(drawing, src);
  if (!ink) return out;
  const step = Math.max(ink.w, ink.h) / BOX;
  const w = Math.min(BOX, Math.ceil(ink.w / step - 1e-9));
  const h = Math.min(BOX, Math.ceil(ink.h / step - 1e-9));
  const [dx, dy] = centring(sample(drawing, src, ink.x, ink.y, step, w, h), w, h);
  // The same cut, finer: each pixel of MNIST's is fine×fine of ours.
  const fine = src / SIDE;
  const cut = sample(drawing, src, ink.x, ink.y, step / fine, w * fine, h * fine);
  for (let y = 0; y < h * fine; y++) {
    const ty = y + dy * fine;
    for (let x = 0; x < w * fine; x++) {
      const tx = x + dx * fine;
      // Centring may push a lopsided digit over the edge.
      if (tx >= 0 && tx < src && ty >= 0 && ty < src) out[ty * src + tx] = cut[y * w * fine + x];
    }
  }
  return out;
}

// inkBounds returns the smallest rectangle that contains all ink, or null without ink.
function inkBounds(image, size) {
  let left = size, top = size, right = -1, bottom = -1;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (image[y * size + x] === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

// sample returns w×h pixels. Each is the mean of the step×step square that it covers;
// the first square's corner is at (x0, y0). Everything outside the image is black.
function sample(image, size, x0, y0, step, w, h) {
  const out = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) out[y * w + x] = mean(image, size, x0 + x * step, y0 + y * step, step);
  }
  return out;
}

function mean(image, size, x0, y0, step) {
  let sum = 0;
  for (let y = Math.trunc(y0); y < size && y < y0 + step; y++) {
    const tall = Math.min(y + 1, y0 + step) - Math.max(y, y0);
    for (let x = Math.trunc(x0); x < size && x < x0 + step; x++) {
      const wide = Math.min(x + 1, x0 + step) - Math.max(x, x0);
      sum += tall * wide * image[y * size + x];
    }
  }
  return Math.round(sum / (step * step));
}

// centring returns the whole-pixel shift that moves the centre of mass of a w×h
// image to pixel (14, 14) of the 28×28 image.
function centring(image, w, h) {
  let mass = 0, mx = 0, my = 0;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const m = image[y * w + x];
      mass += m;
      mx += m * (x + 0.5);
      my += m * (y + 0.5);
    }
  }
  if (mass === 0) return [Math.trunc((SIDE - w) / 2), Math.trunc((SIDE - h) / 2)];
  return [SIDE / 2 - Math.trunc(mx / mass), SIDE / 2 - Math.trunc(my / mass)];
}

/** shrink is what downsample computes: dst×dst values, each the mean of its
 * block of the src×src image. src is a multiple of dst. */
export function shrink(image, src, dst) {
  const block = src / dst;
  const out = new Float32Array(dst * dst);
  for (let y = 0; y < dst; y++) {
    for (let x = 0; x < dst; x++) {
      let sum = 0;
      for (let v = 0; v < block; v++) {
        for (let u = 0; u < block; u++) sum += image[(y * block + v) * src + x * block + u];
      }
      out[y * dst + x] = sum / (block * block);
    }
  }
  return out;
}

/** bytes rounds values from 0 to 1 to whole 255ths, as MNIST's own pixels are
 * and as normalize reads them. Every backend rounds between downsample and
 * normalize, so that all of them ask the network the same. */
export function bytes(pixels) {
  return Uint8Array.from(pixels, (value) => Math.round(255 * Math.min(1, Math.max(0, value))));
}
