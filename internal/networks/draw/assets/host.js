// The author's own host in place of this page's: learnersHost is their function readDigits. It gets the file of weights
// as PyTorch writes it, and a drawing as bytes, and makes every call of WebGPU itself.

import { openDevice } from './webgpu.js';

/** openHost gives a backend for the page whose network the author's host runs. ours makes the bytes of a drawing. */
export async function openHost({ readDigits, ours, shaders, weights }) {
  let { device } = await openDevice();
  const { file, at } = stateDict(weights);
  const given = Object.fromEntries(Object.entries(shaders).map(([name, { source, workgroup }]) => [name, { wgsl: source, size: workgroup }]));
  const call = async (pixels) => {
    const bytes = Uint8Array.from(pixels, (p) => Math.round(255 * p));
    const { probabilities } = await readDigits(device, given, 1, weights.b1.length, weights.b2.length, bytes, file.slice(), { ...at });
    return Float32Array.from(probabilities);
  };
  let turn = Promise.resolve(); // one at a time, as the page's own host
  const read = (pixels) => {
    const answer = turn.then(() => call(pixels)).catch(async () => {
      ({ device } = await openDevice()); // a browser may lose the device at any time
      return call(pixels);
    });
    turn = answer.catch(() => {});
    return answer;
  };
  return {
    label: `${ours.label}, with the author's own host`,
    classify: async (drawing) => {
      const seen = await ours.classify(drawing);
      return { ...seen, probabilities: await read(seen.pixels) };
    },
    probabilities: read,
  };
}

// stateDict returns the weights as PyTorch stores them, [out, in], and at which bytes each array begins.
function stateDict({ w1, b1, w2, b2 }) {
  const turned = (w, outputs) => Float32Array.from(w, (_, i) => w[(i % (w.length / outputs)) * outputs + Math.floor(i * outputs / w.length)]);
  const arrays = { b1, w1: turned(w1, b1.length), b2, w2: turned(w2, b2.length) };
  const at = {};
  let length = 0;
  for (const [name, { byteLength }] of Object.entries(arrays)) {
    at[name] = length;
    length += byteLength;
  }
  const file = new Uint8Array(length);
  for (const [name, { buffer }] of Object.entries(arrays)) file.set(new Uint8Array(buffer), at[name]);
  return { file, at };
}
