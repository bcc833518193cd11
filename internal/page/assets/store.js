// What stays in this browser: the shaders, what stood there before something took their place, and what was passed.
// It is in localStorage, which is read and written at once and heard of in other tabs.

const prefix = 'wgslab:';
const listeners = new Set();

const read = (key) => {
  try { return localStorage.getItem(prefix + key); } catch { return null; }
};

// write keeps a value, or forgets it for null, and says whether it is kept.
const write = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, value);
    return true;
  } catch {
    return false;
  }
};

const tell = (file) => listeners.forEach((listener) => listener(file));

// onChange calls with the name of a file that changed in another tab or by another part of the page, null for all.
export const onChange = (listener) => listeners.add(listener);
addEventListener('storage', ({ key }) => {
  if (key === null) tell(null);
  else if (key.startsWith(prefix)) tell(key.slice(prefix.length));
});

// shader is what the visitor wrote into a file, work/NAME.wgsl; null for nothing.
export const shader = (file) => read(file);

// keep keeps what somebody typed. False says that this browser keeps nothing.
export const keep = (file, text) => write(file, text);

// replace puts another text in the place of a shader, and keeps the one that was there. Null is what the course begins with.
export const replace = (file, text, was) => {
  const kept = write('before:' + file, was) && write(file, text);
  tell(file);
  return kept;
};

// before is what stood in a file before it was replaced.
export const before = (file) => read('before:' + file);
export const forgetBefore = (file) => write('before:' + file, null);

// shaders are all that were written, by their file.
export const shaders = () => {
  const all = {};
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix + 'work/')) all[key.slice(prefix.length)] = localStorage.getItem(key);
    }
  } catch { /* none are kept */ }
  return all;
};

// progress is what was passed, as notebooks keep it in work/progress.json: {ID: {time, shader_sha256}}.
export const progress = () => {
  try { return JSON.parse(read('progress')) ?? {}; } catch { return {}; }
};

// pass notes that an exercise was passed. The first time stays.
export const pass = (id, time, hash) => {
  const all = progress();
  if (all[id]) return;
  all[id] = { time, shader_sha256: hash };
  write('progress', JSON.stringify(all));
  tell('progress');
};
