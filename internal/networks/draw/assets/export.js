// The exported page. It contains the shaders and the weights, and requests nothing
// from any server.

/* global learnersHost */
import { frame } from './frame.js';
import { openHost } from './host.js';
import { data, start } from './page.js';
import { openPlain } from './plain.js';
import { openWebGPU } from './webgpu.js';

const TOLERANCE = 1e-3; // of a probability

const weights = data.weights.s1 ? inBytes(data.weights) : {
  ...data.weights,
  ...Object.fromEntries(['w1', 'b1', 'w2', 'b2'].map((name) => [name, floatsOf(data.weights[name])])),
};
const root = document.getElementById('draw');
const lead = root.querySelector('[data-at=lead]');
const plain = openPlain({ weights });
let kind = 'webgpu';
let backend = await waking(openWebGPU({ shaders: data.shaders, weights }).then(tried)).then(withHost).catch(instead);

/** wgslab is for other programs. classify takes 784 values from 0 to 1, white on
 * black, framed as MNIST frames its digits, and promises 10 probabilities, or 11 if the
 * network learned a sign. */
globalThis.wgslab = Object.freeze({
  get backend() { return kind; },
  classify: async (pixels) => Array.from(await ask('probabilities', checkedPixels(pixels))),
});

start(root, {
  label: backend.label,
  sign: data.sign,
  kernels: kind === 'webgpu' ? data.kernels : [],
  owner: 'the author\'s', // the viewer may be another person
  classify: (drawing) => ask('classify', drawing),
});

// ask asks the backend. If WebGPU is lost for good, it continues without it.
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

// waking tells the visitor why starting the browser's GPU takes a while.
async function waking(opened) {
  const usual = lead.textContent;
  lead.textContent = 'Starting this browser\'s GPU …';
  const backend = await opened;
  lead.textContent = usual;
  return backend;
}

// tried returns the backend after it has read one digit correctly, because a faulty
// driver may compute wrong values.
async function tried(candidate) {
  const digit = frame(data.samples[3][0]);
  const [got, want] = await Promise.all([candidate, plain].map((each) => each.classify(digit)));
  if (want.probabilities.every((p, i) => Math.abs(p - got.probabilities[i]) <= TOLERANCE)) return candidate;
  throw new Error('This browser\'s WebGPU computes wrong values for the network.');
}

// withHost lets the author's own host run the network, if the page has it and it reads as the page's does.
async function withHost(ours) {
  if (learnersHost === null) return ours;
  try {
    return await tried(await openHost({ readDigits: learnersHost, ours, shaders: data.shaders, weights }));
  } catch (error) {
    lead.textContent = `The author's own host fails in this browser, so the page's host runs their shaders. (${error.message})`;
    return ours;
  }
}

// instead switches to plain JavaScript, and the page says so.
function instead(error) {
  kind = 'js';
  lead.textContent = `${error.message} So plain JavaScript runs the same network, without the shaders.`;
  return plain;
}

function checkedPixels(pixels) {
  const slack = 1e-6; // tolerance for rounding
  if (pixels?.length !== 784) throw new TypeError(`classify takes 784 values, 28 × 28, not ${pixels?.length}`);
  for (const p of pixels) {
    if (!(p >= -slack && p <= 1 + slack)) throw new RangeError(`classify takes values from 0 to 1, not ${p}: divide bytes by 255`);
  }
  return pixels;
}

function floatsOf(base64) {
  return new Float32Array(bufferOf(base64));
}

function bufferOf(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
}

// inBytes returns weights that the page has in bytes: as they are for the shaders, and as floats, a
// column for each neuron, for plain JavaScript.
function inBytes(given) {
  const [b1, b2, s1, s2] = ['b1', 'b2', 's1', 's2'].map((name) => floatsOf(given[name]));
  const [first, second] = ['w1', 'w2'].map((name) => bufferOf(given[name]));
  const columns = (bytes, scales) => {
    const width = bytes.length / scales.length;
    return Float32Array.from(bytes, (_, i) => bytes[(i % scales.length) * width + Math.floor(i / scales.length)] * scales[i % scales.length]);
  };
  return {
    ...given, b1, b2, w1: columns(new Int8Array(first), s1), w2: columns(new Int8Array(second), s2),
    words: [new Uint32Array(first), new Uint32Array(second)], scales: [s1, s2],
  };
}
