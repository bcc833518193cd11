// The course's page: its editors, its checks, and the progress that it stores.

import * as store from './store.js';
import { edit } from './editor.js';
import { checker, writer, Endless } from './judge.js';
import { busy } from './busy.js';
import { keepLines, startFolder } from './folder.js';
import { setUpCell, showDisplay } from './cells.js';
import { offerFriend, linkTo, showLink } from './friend.js';
import { benchHash, TooLong } from './link.js';
import { setUpBench } from './bench.js';
import { takeHome, bringBack } from './home.js';
import { setUpJournal } from './journal.js';
import { setUpMoving } from './moving.js';
import { setUpOrder } from './order.js';
import { setUpPrediction, setUpRecall, setUpWriting } from './question.js';
import { startOffline } from './offline.js';
import * as steps from './step.js';
import { copyText, notice, element, spoken } from './words.js';

const all = (selector) => document.querySelectorAll(selector);

// shaders are the editors of the page by their file: {section, skeleton, editor}. Some are programs in JavaScript.
const shaders = new Map();

// fileOf returns the file that answers an exercise.
const fileOf = (id) => document.querySelector(`.shader[data-exercise="${id}"]`).dataset.file;

// Progress.

const showProgress = () => {
  const progress = store.progress();
  for (const place of all('[data-mark]')) {
    const passed = progress[place.dataset.mark] !== undefined;
    if (place.matches('.passed')) {
      place.textContent = passed ? '✓ passed' : '';
      continue;
    }
    place.classList.toggle('done', passed);
    place.querySelector('.mark').textContent = passed ? '✓' : '•';
    place.querySelector('.spoken').textContent = passed ? ', passed' : '';
  }
  for (const fold of all('.fold[data-after]')) if (progress[fold.dataset.after]) unfold(fold);
  showNext(progress);
};

// unfold opens a shader that gives away an exercise's idea. It does so once: whoever closes it finds it closed.
const unfold = (fold) => {
  if (fold?.dataset.after === undefined) return;
  fold.open = true;
  delete fold.dataset.after;
};

// showNext offers returning visitors a link to the first exercise that they haven't passed.
const showNext = (progress) => {
  const button = document.getElementById('goon');
  if (!button || Object.keys(progress).length === 0) return;
  const next = [...all('#lessons a[data-mark]')].find((a) => !progress[a.dataset.mark] && a.hash !== '');
  button.hidden = next === undefined;
  if (next) {
    button.href = next.getAttribute('href');
    button.textContent = `Go on with ${next.dataset.mark}`;
  }
};

// Editors.

const showProblems = (section, found, untouched) => {
  const place = section.querySelector('.problems');
  const errors = found.filter(({ severity }) => severity === 'error');
  const first = errors[0] ?? found[0];
  place.classList.toggle('bad', errors.length > 0);
  if (first === undefined) place.textContent = untouched ? '' : 'It compiles.';
  else place.replaceChildren(...spoken(`Line ${first.line}: ${first.message}${found.length > 1 ? ` And ${found.length - 1} more.` : ''}`));
};

const setUpShader = (section) => {
  const file = section.dataset.file, fold = section.querySelector('.fold');
  const skeleton = section.querySelector('.editor code').textContent;
  const undo = section.querySelector('.undo');
  const unfoldBegun = () => { if (store.shader(file) !== null) unfold(fold); };
  const showUndo = () => { undo.hidden = store.before(file) === null; };
  let kept = true, showLines = () => {};
  const editor = edit(section.querySelector('.editor'), {
    name: file,
    text: store.shader(file) ?? skeleton,
    untouched: skeleton,
    changed: (text) => {
      const now = store.keep(file, text === skeleton ? null : text);
      if (kept && !now) notice('This browser doesn’t store anything for this page: take your work home before you close it.');
      kept = now;
      showOutdated(file);
      showLines(text);
      steps.changed();
    },
    check: section.dataset.exercise && (() => startCheck(section.dataset.exercise)),
    format: () => format(),
    told: (found) => showProblems(section, found, editor.text() === skeleton),
  });
  const format = async () => {
    const text = editor.text();
    const { text: laid, problem } = await writer.ask({ do: 'format', source: text }).catch(({ message }) => ({ problem: message }));
    if (problem) section.querySelector('.problems').replaceChildren(...spoken(`Not formatted: ${problem}.`));
    else if (editor.text() === text) editor.set(laid);
    editor.focus();
  };
  const replace = (text) => {
    store.replace(file, text, editor.text());
    editor.focus();
  };
  section.querySelector('.tools').hidden = false;
  section.querySelector('.again').onclick = () => { if (editor.text() !== skeleton) replace(null); };
  const formats = section.querySelector('.format');
  if (formats) formats.onclick = format;
  undo.onclick = () => replace(store.before(file));
  const share = section.querySelector('.share');
  if (share) share.onclick = () => linkTo(section, editor.text());
  store.onChange((changed) => {
    if (changed === null || changed === file || changed === 'before:' + file) showUndo();
    if (changed !== null && changed !== file) return;
    editor.set(store.shader(file) ?? skeleton);
    unfoldBegun();
  });
  const lines = section.querySelector('.order');
  if (lines) showLines = setUpOrder(lines, editor);
  showUndo();
  unfoldBegun();
  shaders.set(file, { section, skeleton, editor });
};

// sources returns the current text of every shader, including those of other pages and unchanged ones.
const sources = () => {
  const files = store.shaders();
  for (const [file, { editor }] of shaders) files[file] = editor.text();
  return files;
};

// The journal and the conversation: the judge writes them to work/, and the page keeps them for the judge's next start.

const kept = {
  'work/journal.jsonl': { path: 'tries', stored: store.journal, keep: store.keepJournal },
  'work/tutor.jsonl': { path: 'turns', stored: store.conversation, keep: store.keepConversation },
};

const tellJudge = () => {
  const files = sources();
  for (const [file, { stored }] of Object.entries(kept)) if (stored()) files[file] = stored();
  const passed = Object.entries(store.progress()).map(([id, { time, shader_sha256: hash }]) => [id, { time: new Date(time).toISOString(), shader_sha256: hash ?? '' }]);
  if (passed.length > 0) files['work/progress.json'] = JSON.stringify(Object.fromEntries(passed));
  checker.tellFiles(files);
};

const keepJournal = (answer) => {
  for (const [file, { path, stored, keep }] of Object.entries(kept)) {
    const text = answer.files?.[file];
    if (!text) continue;
    keepLines(path, newLines(stored() ?? '', text));
    keep(text);
  }
  return answer;
};

// newLines returns the lines of such a file after the last one of an older text, or only the last if that one is gone.
const newLines = (older, text) => {
  const lines = text.trimEnd().split('\n'), last = lines.lastIndexOf(older.trimEnd().split('\n').pop());
  return older === '' ? lines : lines.slice(last < 0 ? -1 : last + 1);
};

// askJudge sends a request to the judge, which may write to the journal or the conversation.
const askJudge = async (request) => {
  await enough();
  tellJudge();
  return keepJournal(await checker.ask(request));
};

// askQuestion sends a learner's answer to the judge. If that fails, the place says so.
const askQuestion = async (request, place) => {
  try {
    return await askJudge(request);
  } catch (error) {
    place.textContent = `This failed: ${error.message}`;
    return null;
  }
};

// Checks.

const checkOf = (id) => document.querySelector(`[data-check="${id}"]`);

// checked holds the text that each shown verdict is about, by the shader's file.
const checked = new Map();

// showOutdated dims a verdict while the shader differs from the text that was checked.
const showOutdated = (file) => {
  const { section, editor } = shaders.get(file);
  const old = checked.has(file) && checked.get(file) !== editor.text();
  const place = checkOf(section.dataset.exercise)?.querySelector('.verdict');
  place?.classList.toggle('outdated', old);
  if (place) place.title = old ? 'From before your change' : '';
};

// explaining is the running check whose verdict is there, while the checker looks for reasons; null if there is none.
let explaining = null;

// enough ends the search for reasons: the visitor wants something else.
const enough = async () => {
  if (!explaining) return;
  checker.ask({ do: 'enough' }).catch(() => { /* the checker was stopped */ });
  await explaining;
};

// work runs a request of the checker for a section, and shows its state there. Stop ends it. display receives what the
// checker shows before its answer.
const work = async (section, words, request, display) => {
  await enough();
  let stopped = 'Stopped. There is no result.';
  return busy(section, () => words, () => stopped, () => checker.stop('stopped'), () => {
    tellJudge();
    return checker.ask(request, (shown) => {
      stopped = 'Stopped. The verdict is complete.';
      display?.(shown);
    }).then(keepJournal, (error) => {
      if (!(error instanceof Endless)) throw error;
      stopped = '';
      showEndless(section, error);
      throw new Error('stopped');
    });
  });
};

// showEndless says that a program was stopped, in the place of its verdict.
const showEndless = (section, { message, line }) => {
  const words = `${message[0].toUpperCase()}${message.slice(1)}. ${line > 0 ? `Its last call was on line ${line}. ` : ''}Does a loop wait for something that comes only while the program waits with \`await\`?`;
  section.dataset.verdict = 'fail';
  section.querySelector('.verdict').replaceChildren(element('div', { className: 'display' }, element('p', { className: 'endless' }, element('strong', {}, '✗ not right: '), ...spoken(words))));
};

// afterVerdict says what the checker does after a verdict.
const afterVerdict = { pass: 'Comparing it with the reference…', fail: 'Looking for the reason…' };

const startCheck = async (id) => {
  const file = fileOf(id), section = checkOf(id), { section: at, editor } = shaders.get(file);
  const source = editor.text();
  unfold(at.querySelector('.fold'));
  const settle = ({ verdict, shader_sha256: hash, seed, cases }) => {
    at.dataset.verdict = section.dataset.verdict = verdict;
    offerTry(section, { exercise: id, source, seed, step: { case: cases?.find(({ pass }) => !pass)?.name ?? '' } });
    checked.set(file, source);
    showOutdated(file);
    const tutor = section.querySelector('.tutor');
    if (tutor) tutor.hidden = verdict === 'pass';
    if (verdict === 'pass') store.pass(id, new Date().toISOString(), hash);
  };
  const place = section.querySelector('.verdict'), early = []; // the verdict arrives before the shaders are timed
  const words = file.endsWith('.js') ? 'Running your program…' : 'Checking…';
  const working = work(section, words, { do: 'check', exercise: id, source }, (display) => {
    if (display['application/json']) early.length = 0; // a verdict with its reasons replaces the one before
    early.push(display);
    showDisplays(place, early);
    if (!display['application/json']) return;
    settle(JSON.parse(display['application/json']));
    if (file.endsWith('.js')) return;
    explaining = working;
    section.querySelector('.doing').textContent = afterVerdict[section.dataset.verdict];
    section.querySelector('.start').disabled = false;
  });
  const answer = await working;
  if (explaining === working) explaining = null;
  if (!answer) return;
  showDisplays(place, answer.displays);
  settle(answer.verdict);
  const costs = place.querySelector('[data-wgslab-heats]');
  editor.heat(source, costs ? JSON.parse(costs.dataset.wgslabHeats) ?? [] : []);
};

// showDisplays shows the judge's displays.
const showDisplays = (place, displays) => {
  place.replaceChildren(...displays.map((display) => {
    const shown = element('div');
    showDisplay(shown, display);
    return shown;
  }));
  const check = place.closest('[data-check]');
  if (check) steps.offer(place, (from, opener) => startSteps(check.dataset.check, from, opener));
};

// offerTry shows the button that makes a link of a checked shader, with a case for the bench.
const offerTry = (section, tried) => {
  const button = section.querySelector('.try');
  if (!button) return;
  button.hidden = false;
  button.onclick = () => shareTry(section, button, tried);
};

const shareTry = async (section, button, { source, ...tried }) => {
  const place = section.querySelector('.offer'), doing = section.querySelector('.doing');
  await enough();
  const shared = await checker.ask({ do: 'share', source, ...tried }).catch((error) => ({ binds: [], passes: [], overrides: [], notes: `The shader came without a case, because it has none yet: ${error.message}.` }));
  const pairs = (list) => list.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]);
  const bench = { source, binds: pairs(shared.binds), passes: pairs(shared.passes), overrides: [], from: shared.from ?? '', notes: shared.notes ?? '' };
  try {
    const address = new URL('bench.html', location.href);
    address.hash = await benchHash(bench);
    showLink(place, address.href, button, element('p', {}, 'Anyone who opens this link sees this shader on the ', element('a', { href: address.href }, 'bench'),
      bench.from ? `, with the buffers of ${bench.from}. ` : '. ', ...spoken(bench.notes)));
  } catch (error) {
    doing.textContent = error instanceof TooLong ? 'This shader is too long for a link. Use the zip at the bottom of the page instead.' : `There is no link: ${error.message}.`;
  }
};

// startSteps opens the step view of a shader with its current text.
const startSteps = (id, from, opener) => {
  const section = checkOf(id), { editor } = shaders.get(`work/${id}.wgsl`);
  const words = checker.busy ? 'Waiting for the running check…' : 'Choosing where to start…';
  steps.open({
    id, from, opener, current: editor.text, target: () => ({ exercise: id }), begin: (request) => work(section, words, request),
    refuse: (why) => section.querySelector('.doing').replaceChildren(...why),
  });
};

// hintsOf returns the hints of an exercise, as elements of its lesson.
const hintsOf = (exercise) => [...all(`#${exercise}-hints details`)];

// copyPrompt puts the context for an AI tutor on the clipboard: the tutor's rules, the task, the shader and the last
// verdicts. A tutor that is attached to the folder has all that, and gets a question. Nothing leaves this page.
const copyPrompt = async (exercise, said) => {
  const copy = async (text, ...words) => {
    try {
      await copyText(text);
      said.replaceChildren(...words);
    } catch (error) {
      said.textContent = `Nothing was copied: ${error.message}.`;
    }
  };
  try {
    const rules = await fetch('TUTOR.md');
    if (!rules.ok) throw new Error('the tutor’s rules could not be loaded. Reload the page');
    const hints = hintsOf(exercise).map((hint) => hint.textContent.replace(hint.querySelector('summary').textContent, '').trim());
    const { text, ask } = await askJudge({ do: 'tutor', exercise, rules: await rules.text(), hints });
    const whole = () => copy(text, 'Copied. Paste it to your AI assistant. Later you can ', element('a', { href: '#paste' }, 'keep the conversation'), '.');
    if (!ask) await whole();
    else await copy(ask, `Copied for the tutor that is attached to your folder: “${ask}” `, element('button', { type: 'button', className: 'quiet', textContent: 'Copy the whole text instead', onclick: whole }));
  } catch (error) {
    said.textContent = `Nothing was copied: ${error.message}.`;
  }
};

// keepHints keeps which hints of an exercise the visitor opens, each once: the journal shows them, and a tutor knows.
const keepHints = (exercise) => hintsOf(exercise).forEach((details, i) => details.addEventListener('toggle', () => {
  const before = store.conversation() ?? '', hint = i + 1;
  if (before.split('\n').some((line) => line.includes(`"exercise":"${exercise}","who":"learner","hint":${hint},`))) return;
  const line = JSON.stringify({ time: new Date().toISOString(), exercise, who: 'learner', hint, text: '' });
  store.keepConversation(before + line + '\n');
  keepLines('turns', [line]);
}, { once: true }));

const setUpCheck = (section) => {
  const start = section.querySelector('.start'), step = section.querySelector('.step'), id = section.dataset.check;
  start.disabled = false;
  start.onclick = () => startCheck(id);
  keepHints(id);
  const tutor = section.querySelector('.tutor');
  if (tutor) tutor.onclick = () => copyPrompt(id, section.querySelector('.doing'));
  if (!step) return; // a case is no shader
  step.disabled = false;
  step.onclick = () => startSteps(id, {}, step);
};

const setUpPicture = (section) => {
  const start = section.querySelector('.start');
  start.disabled = false;
  start.onclick = async () => {
    const answer = await work(section, 'Counting…', JSON.parse(section.dataset.ask));
    if (answer) showDisplays(section.querySelector('.shown'), answer.displays);
  };
};

// The rest of the page.

const setUpMenu = () => {
  const button = document.getElementById('menu'), list = document.getElementById('lessons');
  const set = (open) => {
    list.toggleAttribute('data-open', open);
    button.setAttribute('aria-expanded', open);
  };
  button.onclick = () => set(!list.hasAttribute('data-open'));
  list.addEventListener('click', (event) => { if (event.target.closest('a')) set(false); });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && list.hasAttribute('data-open')) {
      set(false);
      button.focus();
    }
  });
};

const setUpTheme = () => {
  const root = document.documentElement, button = document.getElementById('theme');
  const dark = () => (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const label = () => button.setAttribute('aria-label', dark() ? 'Light colours' : 'Dark colours');
  button.onclick = () => {
    root.dataset.theme = dark() ? 'light' : 'dark';
    try { localStorage.setItem('wgslab:theme', root.dataset.theme); } catch { /* for this page only */ }
    label();
  };
  label();
};

setUpMenu();
setUpTheme();
await startFolder((file) => shaders.get(file).skeleton);
all('.shader[data-file]').forEach(setUpShader);
all('.check[data-check]').forEach(setUpCheck);
all('.picture').forEach(setUpPicture);
all('[data-predict]').forEach((section) => setUpPrediction(section, askQuestion));
all('[data-recall]').forEach((section) => setUpRecall(section, askQuestion));
all('.written').forEach((section) => setUpWriting(section, askQuestion));
all('img.moving').forEach(setUpMoving);
all('.go[data-cell]').forEach((section) => setUpCell(section, sources));
store.onChange((changed) => { if (changed === null || changed === 'progress') showProgress(); });
showProgress();
document.getElementById('take').onclick = () => takeHome(sources(), new Map([...shaders].map(([file, { skeleton }]) => [file, skeleton])));
const brought = document.getElementById('brought');
document.getElementById('bring').onclick = () => brought.click();
brought.onchange = () => bringBack(brought, document.getElementById('arrived'));
setUpJournal(askJudge);
offerFriend(shaders);
addEventListener('hashchange', () => offerFriend(shaders));
const onBench = document.body.dataset.bench !== undefined;
if (onBench) setUpBench({ showProblems, showDisplays });
if (shaders.size > 0 || onBench) {
  // The page is ready. Start the worker that reports problems during typing first, then the checker.
  const reading = { do: 'problems', source: '' }; // whatever needs no engine
  const opening = () => checker.ask(onBench ? reading : { do: 'engine' }); // the bench only simulates
  writer.ask(reading).then(opening).then(({ words }) => {
    document.documentElement.dataset.ready = 'yes';
    for (const place of all('.check[data-check] .doing')) if (!place.textContent) place.textContent = words;
    const first = document.querySelector('.check[data-check]');
    if (first) checker.ask({ do: 'warm', exercise: first.dataset.check }).catch(() => { /* a check will say what is wrong */ });
  }, (error) => notice(`The judge doesn't start: ${error.message}. Is this browser new enough for WebAssembly?`)).finally(startOffline);
} else {
  startOffline();
}
