// The folder work/ as a zip file: download and upload.

import { unzip, zipSync, strToU8 } from 'fflate';
import * as store from './store.js';
import { element } from './words.js';

const mostZip = 4 << 20, mostShader = 256 << 10, mostFiles = 200; // the second is the front end's own limit

// takeHome downloads all written shaders and the progress.
export const takeHome = (sources, skeletons) => {
  const files = {};
  for (const [file, text] of Object.entries(sources)) {
    if (text !== skeletons.get(file) || store.shader(file) !== null) files[file] = strToU8(text);
  }
  const progress = store.progress();
  if (Object.keys(progress).length > 0) files['work/progress.json'] = strToU8(JSON.stringify(progress, null, 2) + '\n');
  if (Object.keys(files).length === 0) {
    document.getElementById('arrived').replaceChildren(element('p', { role: 'status' }, 'There is nothing to download yet: you haven’t written anything.'));
    return;
  }
  const url = URL.createObjectURL(new Blob([zipSync(files)], { type: 'application/zip' }));
  const link = element('a', { href: url, download: 'wgslab-work.zip' });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};

// read reads the shaders and the progress from a zip.
const read = async (file) => {
  if (file.size > mostZip) throw new Error('it is larger than 4 MB');
  const bytes = new Uint8Array(await file.arrayBuffer());
  let count = 0;
  const inside = await new Promise((resolve, reject) => unzip(bytes, {
    filter: ({ name, originalSize }) => {
      if (!wanted(name)) return false;
      if (originalSize > mostShader) throw new Error(`${name} is too long for a shader`);
      if (++count > mostFiles) throw new Error(`it holds more than ${mostFiles} shaders`);
      return true;
    },
  }, (error, found) => (error ? reject(error) : resolve(found)))).catch((error) => {
    throw /too long|more than/.test(error.message) ? error : new Error('it isn’t a readable zip');
  });
  const shaders = {};
  let progress = {};
  for (const [name, data] of Object.entries(inside)) {
    if (data.length > mostShader) throw new Error(`${name} is too long for a shader`);
    const text = new TextDecoder().decode(data);
    if (name.endsWith('progress.json')) progress = passedIn(text);
    else shaders['work/' + name.split('/').pop()] = text;
  }
  if (Object.keys(shaders).length === 0) throw new Error('it has no shader and no program, that is, no file work/….wgsl or work/….js');
  return { shaders, progress };
};

const wanted = (name) => /(^|\/)(work\/)?[a-z0-9-]+\.(wgsl|js)$/.test(name) || /(^|\/)progress\.json$/.test(name);

// passedIn returns the valid entries of a progress.json.
const passedIn = (text) => {
  let found;
  try { found = JSON.parse(text); } catch { return {}; }
  return Object.fromEntries(Object.entries(found ?? {}).filter(([id, passed]) =>
    /^[a-z-]+$/.test(id) && typeof passed?.time === 'string' && !Number.isNaN(Date.parse(passed.time))));
};

// bringBack reads a zip. If some of its shaders differ from the stored ones, it asks which to keep.
export const bringBack = async (input, place) => {
  const file = input.files[0];
  input.value = '';
  if (!file) return;
  const say = (...words) => place.replaceChildren(element('p', { role: 'status' }, ...words));
  let found;
  try {
    found = await read(file);
  } catch (error) {
    say(`Could not upload ${file.name}: ${error.message}.`);
    return;
  }
  const entries = Object.entries(found.shaders);
  const differ = entries.filter(([name, text]) => store.shader(name) !== null && store.shader(name) !== text);
  const fresh = entries.filter(([name]) => store.shader(name) === null);
  const take = (list) => {
    for (const [name, text] of list) store.replace(name, text, store.shader(name));
    for (const [id, { time, shader_sha256: hash }] of Object.entries(found.progress)) store.pass(id, time, hash ?? '');
    say(list.length === 0 ? 'You already have everything in this zip.' : `Uploaded: ${list.map(([name]) => name).join(', ')}.`);
  };
  if (differ.length === 0) {
    take(fresh);
    return;
  }
  const theirs = element('button', { type: 'button', className: 'primary', textContent: 'Use the versions in the zip', onclick: () => take([...fresh, ...differ]) });
  const mine = element('button', { type: 'button', textContent: 'Keep mine', onclick: () => take(fresh) });
  say(`These differ from yours: ${differ.map(([name]) => name).join(', ')}. You can undo the replacement in each editor.`);
  place.append(element('p', { className: 'buttons' }, theirs, mine));
  theirs.focus();
};
