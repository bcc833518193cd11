// The page that was taken home. It carries the shaders and the weights, and asks
// nobody for anything.

import { frame } from './frame.js';
import { data, start } from './page.js';
import { openPlain } from './plain.js';
import { openWebGPU } from './webgpu.js';

const TOLERANCE = 1e-3; // of a probability

const weights = {
  ...data.weights,
  ...Object.fromEntries(['w1', 'b1', 'w2', 'b2'].map((name) => [name, floatsOf(data.weights[name])])),
};
const root = document.getElementById('draw');
const lead = root.querySelector('[data-at=lead]');
const plain = openPlain({ weights });
let kind = 'webgpu';
let backend = await waking(openWebGPU({ shaders: data.shaders, weights }).then(tried)).catch(instead);

/** wgslab is for other programs. classify takes 784 values from 0 to 1, white on
 * black, framed as MNIST frames its digits, and promises 10 probabilities. */
globalThis.wgslab = Object.freeze({
  get backend() { return kind; },
  classify: async (pixels) => Array.from(await ask('probabilities', checkedPixels(pixels))),
});

start(root, {
  label: backend.label,
  kernels: kind === 'webgpu' ? data.kernels : [],
  owner: 'the author\'s', // who sees this page may be somebody else
  classify: (drawing) => ask('classify', drawing),
});

// ask asks the backend, and goes on without WebGPU where it was lost for good.
async function ask(what, question) {
  const asked = backend;
  try {
    return await asked[what](question);
  } catch (error) {
    if (asked === plain) throw error;
    backend = instead(error);
    root.querySelector('[data-at=label]').textContent = plain.label;
    return plain[what](question);
  }
}

// waking tells who waits for the browser's GPU why nothing happens yet.
async function waking(opened) {
  const usual = lead.textContent;
  lead.textContent = 'Waking this browser\'s GPU …';
  const backend = await opened;
  lead.textContent = usual;
  return backend;
}

// tried is the backend, once it has read one digit as it should: a driver may
// compute anything.
async function tried(candidate) {
  const digit = frame(data.samples[3][0]);
  const [got, want] = await Promise.all([candidate, plain].map((each) => each.classify(digit)));
  if (want.probabilities.every((p, i) => Math.abs(p - got.probabilities[i]) <= TOLERANCE)) return candidate;
  throw new Error('The network computes something else on this browser\'s WebGPU than it should.');
}

// instead is plain JavaScript, and the page says so.
function instead(error) {
  kind = 'js';
  lead.textContent = `${error.message} So plain JavaScript runs the same network, without the shaders.`;
  return plain;
}

function checkedPixels(pixels) {
  const slack = 1e-6; // what rounding may add
  if (pixels?.length !== 784) throw new TypeError(`classify takes 784 values, 28 × 28, not ${pixels?.length}`);
  for (const p of pixels) {
    if (!(p >= -slack && p <= 1 + slack)) throw new RangeError(`classify takes values from 0 to 1, not ${p}: divide bytes by 255`);
  }
  return pixels;
}

function floatsOf(base64) {
  return new Float32Array(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer);
}
