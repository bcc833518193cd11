// The network of the course's site. A Web Worker of the embedding page runs it. That
// page passes a description of the network, and a port to the worker.

import { answered, explained } from './answer.js';
import { bytes } from './frame.js';
import { start } from './page.js';

const { kernels, frames, sign, beside, attends, teach, label, port } = await new Promise((resolve) => {
  addEventListener('message', ({ source, data, ports }) => {
    if (source === parent && data?.wgslabNetwork) resolve({ ...data.wgslabNetwork, port: ports[0] });
  });
});
const asked = new Map(); // pending requests, by id
let last = 0;
port.onmessage = ({ data: { id, ...answer } }) => {
  const { resolve, reject, report } = asked.get(id);
  if (report && answer.steps !== undefined) return report(answer);
  asked.delete(id);
  if (answer.error !== undefined) reject(new Error(answer.error));
  else if (answer.learned !== undefined) resolve();
  else resolve(answer.heat === undefined ? answered(answer) : explained(answer));
};

start(document.getElementById('draw'), {
  label,
  kernels,
  frames,
  sign,
  beside,
  attends,
  owner: 'yours',

  classify: ({ image, framing, off = '' }) => new Promise((resolve, reject) => {
    asked.set(++last, { resolve, reject });
    port.postMessage({ id: last, image: bytes(image), framing, off });
  }),

  why: ({ pixels, digit, beside: other }) => new Promise((resolve, reject) => {
    asked.set(++last, { resolve, reject });
    port.postMessage({ id: last, image: bytes(pixels), question: { digit, beside: other } });
  }),

  teach: teach && ((sign, report) => new Promise((resolve, reject) => {
    asked.set(++last, { resolve, reject, report });
    port.postMessage({ id: last, sign });
  })),
});
