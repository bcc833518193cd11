// The network of the course's site: a Web Worker of the page that shows this one runs
// it. That page hands over what is known of it, and a port that leads there.

import { answered } from './answer.js';
import { bytes } from './frame.js';
import { start } from './page.js';

const { kernels, label, port } = await new Promise((resolve) => {
  addEventListener('message', ({ source, data, ports }) => {
    if (source === parent && data?.wgslabNetwork) resolve({ ...data.wgslabNetwork, port: ports[0] });
  });
});
const asked = new Map(); // pending requests, by id
let last = 0;
port.onmessage = ({ data: { id, ...answer } }) => {
  const { resolve, reject } = asked.get(id);
  asked.delete(id);
  if (answer.error === undefined) resolve(answered(answer));
  else reject(new Error(answer.error));
};

start(document.getElementById('draw'), {
  label,
  kernels,
  owner: 'yours',

  classify: ({ image }) => new Promise((resolve, reject) => {
    asked.set(++last, { resolve, reject });
    port.postMessage({ id: last, image: bytes(image) });
  }),
});
