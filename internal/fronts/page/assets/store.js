// Storage in this browser: the shaders, their earlier text after a replacement, and the passed exercises. It uses
// localStorage, which is synchronous and tells other tabs about changes.

// A folder of wgslab site --work has entries of its own.
const folder = document.documentElement.dataset.work;
const prefix = folder === undefined ? 'wgslab:' : `wgslab@${folder}:`;
const listeners = new Set();

const read = (key) => {
  try { return localStorage.getItem(prefix + key); } catch { return null; }
};

// write stores a value, or removes it for null, and reports whether that worked.
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

// onChange calls back with the name of a file that another tab or part of the page changed; null means all files.
export const onChange = (listener) => listeners.add(listener);
addEventListener('storage', ({ key }) => {
  if (key === null) tell(null);
  else if (key.startsWith(prefix)) tell(key.slice(prefix.length));
});

// shader returns the visitor's text of a file, work/NAME.wgsl, or null if there is none.
export const shader = (file) => read(file);

// mirror passes each shader that the page writes to a function as well; a text of null is the course's skeleton.
let passOn = () => {};
export const mirror = (to) => { passOn = to; };

// keep stores typed text. It returns false if this browser stores nothing.
export const keep = (file, text) => {
  passOn(file, text);
  return write(file, text);
};

// replace replaces a shader's text and keeps the previous one. Null means the course's skeleton.
export const replace = (file, text, was) => {
  const kept = write('before:' + file, was) && keep(file, text);
  tell(file);
  return kept;
};

// before returns a file's text from before its replacement.
export const before = (file) => read('before:' + file);
export const forgetBefore = (file) => write('before:' + file, null);

// bench returns what is on the bench, as text, or null. benchBefore returns what was there before a replacement.
export const bench = () => read('bench');
export const keepBench = (text) => write('bench', text);
export const benchBefore = () => read('before:bench');
export const keepBenchBefore = (text) => write('before:bench', text);

// shaders returns the text of all written shaders, by file.
export const shaders = () => {
  const all = {};
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix + 'work/')) all[key.slice(prefix.length)] = localStorage.getItem(key);
    }
  } catch { /* none are kept */ }
  return all;
};

// progress returns the passed exercises in the format of the notebooks' work/progress.json: {ID: {time, shader_sha256}}.
export const progress = () => {
  try { return JSON.parse(read('progress')) ?? {}; } catch { return {}; }
};

// pass records that an exercise was passed. It keeps the first time.
export const pass = (id, time, hash) => {
  const all = progress();
  if (all[id]) return;
  all[id] = { time, shader_sha256: hash };
  write('progress', JSON.stringify(all));
  tell('progress');
};

// journal returns the lines of work/journal.jsonl, or null. keepJournal stores the last of them.
// What the visitor and a tutor said, and the hints that were opened, are the lines of work/tutor.jsonl.
const mostLines = 200;
const lastOf = (text) => text.split('\n').slice(-mostLines - 1).join('\n');
export const journal = () => read('journal');
export const keepJournal = (text) => write('journal', lastOf(text));
export const conversation = () => read('conversation');
export const keepConversation = (text) => write('conversation', lastOf(text));

// copy makes the store equal to a folder's work. It passes nothing on.
export const copy = ({ shaders: there, progress: passed, journal: lines, conversation: said }) => {
  const to = passOn, here = shaders();
  passOn = () => {};
  for (const file of new Set([...Object.keys(here), ...Object.keys(there)])) {
    if (here[file] === there[file]) continue;
    write(file, there[file] ?? null);
    tell(file);
  }
  passOn = to;
  if (JSON.stringify(progress()) !== JSON.stringify(passed)) {
    write('progress', JSON.stringify(passed));
    tell('progress');
  }
  keepJournal(lines);
  keepConversation(said);
};
