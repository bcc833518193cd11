// The network of `wgslab draw` and of the notebook. The page's server runs it on its
// GPU.

import { answered } from './answer.js';
import { bytes } from './frame.js';
import { data, start } from './page.js';

start(document.getElementById('draw'), {
  label: data.label,
  kernels: data.kernels,
  frames: data.frames,
  owner: 'yours',

  async classify({ image, framing }) {
    const response = await fetch(framing ? 'classify?frame' : 'classify', { method: 'POST', body: bytes(image) }).catch(() => {
      throw new Error(data.gone);
    });
    const answer = await response.json().catch(() => ({ error: data.gone }));
    if (!response.ok) throw new Error(answer.error ?? data.gone);
    return answered(answer);
  },
});
