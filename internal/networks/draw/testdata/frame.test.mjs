// The drawing page frames a drawing as package mnist does: both read one table, which
// go test ./internal/networks/mnist -run FramingTable -update writes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { PEN, SIDE, SRC, bytes, frame, rasterise, shrink } from '../assets/frame.js';

const table = JSON.parse(readFileSync(new URL('../../mnist/testdata/framing.json', import.meta.url)));

const small = (strokes, centred) => {
  const { src, image } = frame(strokes, { centred });
  return bytes(shrink(image, src, SIDE));
};

// apart returns the largest difference between pixels and their table entry.
const apart = (pixels, hex) => {
  const want = Buffer.from(hex, 'hex');
  assert.equal(pixels.length, want.length);
  return Math.max(...[...pixels].map((value, i) => Math.abs(value - want[i])));
};

table.forEach(({ strokes, drawing, framed, as_is: asIs }, i) => test(`drawing ${i}`, () => {
  assert.equal(createHash('sha256').update(rasterise(strokes, SRC, PEN)).digest('hex'), drawing);
  assert.equal(apart(small(strokes, false), asIs), 0, 'made small');
  // The page frames at a finer scale first, so a pixel may round to the next byte.
  assert.ok(apart(small(strokes, true), framed) <= 1, 'framed');
}));
