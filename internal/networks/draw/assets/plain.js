// The same network in plain JavaScript, for a browser without WebGPU. It runs no
// shaders.

import { SIDE, bytes, shrink } from './frame.js';

/** openPlain gives a backend for the page that runs weights. */
export function openPlain({ weights }) {
  const normalised = (pixels) => Float32Array.from(pixels, (p) => (p - weights.mean) / weights.stddev);
  const seen = (row) => (weights.scales ? inSteps(row) : row);
  const forward = (x, timed) => {
    const hidden = timed('linear', () => plainLinear(seen(x), weights.w1, weights.b1));
    const active = timed('relu', () => hidden.map((value) => Math.max(value, 0)));
    const out = timed('linear', () => plainLinear(seen(active), weights.w2, weights.b2));
    return timed('softmax', () => plainSoftmax(out));
  };
  return {
    label: 'in plain JavaScript',

    async classify({ src, image }) {
      const passes = [];
      const timed = (name, work) => {
        const began = performance.now();
        const result = work();
        passes.push({ name, milliseconds: performance.now() - began });
        return result;
      };
      const small = timed('downsample', () => shrink(image, src, SIDE));
      const pixels = Float32Array.from(bytes(small), (byte) => byte / 255);
      const x = timed('normalize', () => normalised(pixels));
      return { pixels, probabilities: forward(x, timed), passes };
    },

    async probabilities(pixels) {
      return forward(normalised(pixels), (_, work) => work());
    },
  };
}

// inSteps returns a row as a network in bytes sees it: each number is moved to the nearest of 127 steps
// on each side of 0.
function inSteps(row) {
  const step = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127 || 1;
  return row.map((value) => Math.round(value / step) * step);
}

// plainLinear returns x * w + bias for one row x.
function plainLinear(x, w, bias) {
  const out = Float64Array.from(bias);
  x.forEach((value, i) => {
    for (let column = 0; column < out.length; column++) out[column] += value * w[i * out.length + column];
  });
  return out;
}

function plainSoftmax(row) {
  const largest = Math.max(...row);
  const exps = row.map((value) => Math.exp(value - largest));
  const total = exps.reduce((sum, value) => sum + value, 0);
  return exps.map((value) => value / total);
}
