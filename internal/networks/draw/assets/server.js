// The network of `wgslab draw` and of the notebook. The page's server runs it on its
// GPU.

import { answered, explained } from './answer.js';
import { bytes } from './frame.js';
import { data, start } from './page.js';

start(document.getElementById('draw'), {
  label: data.label,
  kernels: data.kernels,
  frames: data.frames,
  sign: data.sign,
  beside: data.beside,
  attends: data.attends,
  owner: 'yours',

  async classify({ image, framing, off = '' }) {
    const response = await fetch(`classify?off=${off}${framing ? '&frame' : ''}`, { method: 'POST', body: bytes(image) }).catch(() => {
      throw new Error(data.gone);
    });
    const answer = await response.json().catch(() => ({ error: data.gone }));
    if (!response.ok) throw new Error(answer.error ?? data.gone);
    return answered(answer);
  },

  async why({ pixels, digit, beside }) {
    const response = await fetch(`why?digit=${digit}${beside ? '&beside' : ''}`, { method: 'POST', body: bytes(pixels) }).catch(() => {
      throw new Error(data.gone);
    });
    const reason = await response.json().catch(() => ({ error: data.gone }));
    if (!response.ok) throw new Error(reason.error ?? data.gone);
    return explained(reason);
  },

  teach: data.teach && (async (sign, report) => {
    const gone = () => { throw new Error(data.gone); };
    const headers = { Accept: 'text/event-stream' }; // the Jupyter server's proxy then passes events on at once
    const response = await fetch('teach', { method: 'POST', headers, body: JSON.stringify(sign) }).catch(gone);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ;) {
      const { value, done } = await reader.read().catch(gone);
      if (done) return gone();
      const events = (text + value).split('\n\n');
      text = events.pop();
      for (const event of events.map((line) => JSON.parse(line.replace(/^data: /, '')))) {
        if (event.error !== undefined) throw new Error(event.error);
        if (event.learned !== undefined) return;
        report(event);
      }
    }
  }),
});
