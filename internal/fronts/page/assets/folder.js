// The folder of wgslab site --work. Its files are the truth; the browser's store is their copy, which the rest of the
// page reads and writes.

import * as store from './store.js';
import { notice } from './words.js';

const folder = document.documentElement.dataset.work;

// inFolder reports whether the page keeps its work in a folder.
export const inFolder = folder !== undefined;

const look = 2000, rest = 300; // milliseconds between two looks at the folder, and before typed text is saved

const waiting = new Map(); // the text that the folder doesn't have yet, by file
let lines = [];            // the tries and turns that it doesn't have yet: [path, line]
let writes = 0;            // how often the page has written

const send = async (method, path, body, keepalive) => {
  const response = await fetch('work/' + path, { method, body, keepalive });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
};

// save sends the folder what it doesn't have.
const save = async (keepalive = false) => {
  for (const [file, text] of [...waiting]) {
    await send('PUT', file.slice('work/'.length), text, keepalive);
    if (waiting.get(file) === text) waiting.delete(file);
  }
  while (lines.length > 0) {
    await send('POST', ...lines[0], keepalive);
    lines = lines.slice(1);
  }
};

// update saves, and then copies the folder into the store, unless the page wrote something meanwhile.
const update = async () => {
  await save();
  const before = writes;
  const found = await (await send('GET', '')).json();
  if (writes === before) store.copy(found);
};

let updating = null, broken = false;

// sync updates once at a time, and tells whether the folder answers.
const sync = () => updating ??= update().then(() => {
  if (broken) notice();
  broken = false;
}, (error) => {
  broken = true;
  notice(`Your last changes aren’t in the folder ${folder}: ${error.message}. Is wgslab site still running?`);
}).finally(() => { updating = null; });

// keepLines sends lines to the folder: tries, or turns of the conversation.
export const keepLines = (path, more) => {
  if (!inFolder || more.length === 0) return;
  writes += 1;
  lines = [...lines, ...more.map((line) => [path, line])];
  sync();
};

// startFolder copies the folder into the store, and keeps both equal from now on. skeletonOf returns the text of a
// shader that is as the course gives it.
export const startFolder = async (skeletonOf) => {
  if (!inFolder) return;
  let saving;
  store.mirror((file, text) => {
    writes += 1;
    waiting.set(file, text ?? skeletonOf(file));
    clearTimeout(saving);
    saving = setTimeout(sync, rest);
  });
  await sync();
  setInterval(() => { if (!document.hidden) sync(); }, look);
  addEventListener('pagehide', () => { save(true).catch(() => { /* the page is gone */ }); });
  document.querySelector('.work p').textContent = `Your shaders and your progress are in the folder ${folder}. wgslab check reads the same files.`;
};
