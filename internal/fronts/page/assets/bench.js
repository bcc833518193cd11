// The bench: any compute shader, with the buffers that the visitor types. Its text and its inputs are kept in this
// browser, and fit in a link.

import * as store from './store.js';
import * as steps from './step.js';
import { edit } from './editor.js';
import { checker, writer } from './judge.js';
import { busy } from './busy.js';
import { TooLong, benchHash, benchIn, readBench } from './link.js';
import { copyText, element, notice, spoken } from './words.js';

const mostFile = 256 * 1024; // bytes: the front end's own limit for a shader
const mostBench = 2 * 1024 * 1024; // bytes of a bench.json, which wgslab open --extract writes

// An Inputs holds what the visitor types besides the shader, and shows a field for each thing that the shader declares.
class Inputs {
  binds = new Map();     // the text of each field, by its place: 0.1
  overrides = new Map(); // by the override's key
  passes = [];           // {entry, workgroups}
  #proposed = new Map(); // what the outline proposed last, by the field's name
  #outline = null;
  #shown = '';           // the outline that is shown, in JSON

  constructor(root, changed) {
    Object.assign(this, { root, changed });
    root.querySelector('.more').onclick = () => {
      this.passes.push({ ...this.passes.at(-1) });
      this.#show();
      root.querySelector('.passes .input:last-child :is(select, input)').focus();
      changed();
    };
  }

  // set takes over the inputs of a stored bench.
  set({ binds, passes, overrides }) {
    this.binds = new Map(binds);
    this.overrides = new Map(overrides);
    this.passes = passes.map(([entry, workgroups]) => ({ entry, workgroups }));
    this.#proposed.clear();
    if (this.#outline) this.outline(this.#outline, true);
  }

  // state returns them, of the fields that are shown.
  state() {
    const { bindings, overrides } = this.#outline ?? { bindings: [...this.binds.keys()].map((place) => ({ place })), overrides: [...this.overrides.keys()].map((key) => ({ key })) };
    return {
      binds: bindings.map(({ place }) => [place, this.binds.get(place) ?? '']),
      passes: this.passes.map(({ entry, workgroups }) => [entry, workgroups]),
      overrides: overrides.map(({ key }) => [key, this.overrides.get(key) ?? '']),
    };
  }

  // request returns them as the judge reads them, and which field each is.
  request() {
    const { binds, passes, overrides } = this.state(), set = (list) => list.filter(([, text]) => text.trim() !== '');
    const joined = (list) => list.map((pair) => pair.join('='));
    const fields = { binds: set(binds).map(([place]) => `bind ${place}`), passes: passes.map((_, i) => `pass ${i}`), overrides: set(overrides).map(([key]) => `override ${key}`) };
    return { bench: { binds: joined(set(binds)), passes: joined(passes), overrides: joined(set(overrides)) }, fields };
  }

  // outline shows the fields of a shader, and what is proposed for those that the visitor left alone.
  outline(outline, again = false) {
    const text = JSON.stringify(outline);
    if (!outline.read || (text === this.#shown && !again)) return;
    this.#outline = outline;
    this.#shown = text;
    const follow = (map, key, name, proposal) => {
      if (!map.has(key) || map.get(key) === this.#proposed.get(name)) map.set(key, proposal);
      this.#proposed.set(name, proposal);
    };
    for (const { place, propose } of outline.bindings) follow(this.binds, place, `bind ${place}`, propose);
    const { entries } = outline;
    if (this.passes.length === 0) this.passes = [{ entry: '', workgroups: '' }];
    for (const [i, pass] of this.passes.entries()) {
      const entry = entries.find(({ name }) => name === pass.entry) ?? entries[0];
      if (!entry) continue;
      if (pass.workgroups === '' || pass.workgroups === this.#proposed.get(`pass ${i}`)) pass.workgroups = entry.propose;
      pass.entry = entry.name;
      this.#proposed.set(`pass ${i}`, entry.propose);
    }
    this.#show();
    this.changed();
  }

  // #field returns a row with an input. name finds it again when something is wrong with it.
  #field(name, label, value, write, more = {}) {
    const id = `input-${name.replaceAll(/[^\w-]/g, '-')}`;
    const input = element('input', { type: 'text', id, value, autocomplete: 'off', spellcheck: false, ...more });
    input.setAttribute('autocapitalize', 'off');
    input.setAttribute('aria-describedby', `${id}-wrong`);
    input.oninput = () => {
      write(input.value);
      this.#mark(input, '');
      this.changed();
    };
    const row = element('div', { className: 'input' }, element('label', { htmlFor: id }, ...label), input, element('p', { className: 'wrong', id: `${id}-wrong`, role: 'status' }));
    row.dataset.field = name;
    return row;
  }

  #mark(input, says) {
    input.setAttribute('aria-invalid', says !== '');
    document.getElementById(input.getAttribute('aria-describedby')).replaceChildren(...spoken(says));
  }

  #show() {
    const { bindings, entries, overrides } = this.#outline, at = (selector) => this.root.querySelector(selector);
    const focused = document.activeElement?.id;
    at('.binds').replaceChildren(...bindings.map(({ place, name, type, access }) => {
      const [group, binding] = place.split('.');
      const label = [element('code', {}, `${name}: ${type}`), element('span', {}, `@group(${group}) @binding(${binding})${access && ', ' + access}`)];
      return this.#field(`bind ${place}`, label, this.binds.get(place), (text) => this.binds.set(place, text));
    }));
    if (bindings.length === 0) at('.binds').append(element('p', { className: 'small' }, 'The shader declares no buffer.'));
    at('.passes').replaceChildren(...(entries.length > 0 ? this.passes.map((pass, i) => this.#pass(pass, i, entries)) : [element('p', { className: 'small' }, 'The shader has no entry point: a function marked ', element('code', {}, '@compute'), '.')]));
    at('.more').hidden = entries.length === 0;
    at('.constants').hidden = overrides.length === 0;
    at('.overrides').replaceChildren(...overrides.map(({ key, name, type, default: usual }) => {
      const label = [element('code', {}, `${name}: ${type}`), ...(key === name ? [] : [element('span', {}, `@id(${key})`)])];
      return this.#field(`override ${key}`, label, this.overrides.get(key) ?? '', (text) => this.overrides.set(key, text), { placeholder: usual || 'needs a value' });
    }));
    this.root.hidden = false;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  #pass(pass, i, entries) {
    const { size } = entries.find(({ name }) => name === pass.entry) ?? {}, several = this.passes.length > 1;
    const words = (several ? `Pass ${i + 1}: w` : 'W') + 'orkgroups in x, y and z';
    const row = this.#field(`pass ${i}`, [element('span', {}, size ? `${words}, each of ${size}` : words)], pass.workgroups, (text) => { pass.workgroups = text; });
    if (entries.length > 1) {
      const choice = element('select', { id: `entry-${i}`, ariaLabel: `The entry point${several ? ` of pass ${i + 1}` : ''}`, onchange: () => {
        pass.entry = choice.value;
        this.outline(this.#outline, true);
      } }, ...entries.map(({ name }) => new Option(name, name, false, name === pass.entry)));
      row.querySelector('label').after(choice);
    }
    if (several) {
      row.querySelector('.wrong').before(element('button', { type: 'button', className: 'quiet', ariaLabel: `Remove pass ${i + 1}`, textContent: 'Remove', onclick: () => {
        this.passes.splice(i, 1);
        this.#show();
        this.root.querySelector('.more').focus();
        this.changed();
      } }));
    }
    return row;
  }

  // problems says what is wrong at each field, and moves the focus to the first.
  problems(list) {
    for (const input of this.root.querySelectorAll('[aria-invalid="true"]')) this.#mark(input, '');
    const inputs = list.map(({ field, says }) => {
      const input = this.root.querySelector(`[data-field="${CSS.escape(field)}"] input`);
      if (input) this.#mark(input, says);
      return input;
    });
    inputs.find(Boolean)?.focus();
  }
}

// name is what the judge calls the shader.
const name = 'bench.wgsl';

// setUpBench makes the bench work. showProblems and showDisplays show what the judge says, as in lessons.
export const setUpBench = ({ showProblems, showDisplays }) => {
  const section = document.getElementById('bench'), run = document.getElementById('run');
  const offer = section.querySelector('.offer'), doing = run.querySelector('.doing'), place = run.querySelector('.verdict');
  const sample = section.querySelector('.editor code').textContent, empty = { source: sample, binds: [], passes: [], overrides: [] };
  let from = '', ranWith = '', kept = true;

  const state = () => ({ source: editor.text(), ...inputs.state(), ...(from && { from }) });
  const changed = () => {
    const now = JSON.stringify(state()), stored = store.keepBench(now);
    if (kept && !stored) notice('This browser doesn’t store anything for this page: copy the link before you close it.');
    kept = stored;
    const old = ranWith !== '' && ranWith !== now;
    place.classList.toggle('outdated', old);
    place.title = old ? 'From before your change' : '';
    steps.changed();
  };
  const inputs = new Inputs(section.querySelector('.inputs'), changed);
  const outline = async () => {
    const source = editor.text(), found = await writer.ask({ do: 'outline', source }).catch(() => null);
    if (found && source === editor.text()) inputs.outline(found);
  };
  const stored = store.bench();
  let begun = empty;
  try { begun = stored ? readBench(stored) : empty; } catch { /* an older page kept something else */ }
  inputs.set(begun);
  from = begun.from ?? '';
  const editor = edit(section.querySelector('.editor'), {
    name, text: begun.source, changed, check: () => start(), format: () => format(),
    told: (found) => {
      showProblems(section, found, false);
      outline();
    },
  });

  // show replaces everything on the bench, and keeps what was there.
  const undo = section.querySelector('.undo'), showUndo = () => { undo.hidden = store.benchBefore() === null; };
  const show = (bench) => {
    store.keepBenchBefore(JSON.stringify(state()));
    from = bench.from ?? '';
    inputs.set(bench);
    editor.set(bench.source);
    changed();
    showUndo();
    outline();
  };
  undo.onclick = () => {
    const before = store.benchBefore();
    offer.replaceChildren();
    show(readBench(before));
    editor.focus();
  };
  showUndo();

  const format = async () => {
    const text = editor.text();
    const { text: laid, problem } = await writer.ask({ do: 'format', source: text }).catch(({ message }) => ({ problem: message }));
    if (problem) section.querySelector('.problems').replaceChildren(...spoken(`Not formatted: ${problem}.`));
    else if (editor.text() === text) editor.set(laid);
    editor.focus();
  };
  section.querySelector('.format').onclick = format;
  section.querySelector('.again').onclick = () => {
    show(empty);
    editor.focus();
  };

  // Files.

  const take = async (file) => {
    const say = (words) => section.querySelector('.problems').replaceChildren(...spoken(words));
    if (file.name.endsWith('.wgpuc')) return say(`${file.name} is a capture: \`wgslab open ${file.name} --extract parts\` writes a bench.json for each dispatch, and this page opens those.`);
    if (file.name.endsWith('.json') && file.size <= mostBench) {
      return file.text().then(readBench).then(show).catch(() => say(`${file.name} holds no bench: wgslab open --extract writes one.`));
    }
    if (file.size > mostFile) return say(`${file.name} is larger than ${mostFile / 1024} kB, the most that a shader may have.`);
    try {
      const source = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      show({ ...empty, source });
    } catch {
      say(`${file.name} is not text: choose a file with a shader in WGSL.`);
    }
  };
  const chosen = section.querySelector('.file-input');
  section.querySelector('.open').onclick = () => chosen.click();
  chosen.onchange = () => {
    const [file] = chosen.files;
    if (file) take(file).then(() => { chosen.value = ''; });
  };
  section.addEventListener('dragover', (event) => { if (event.dataTransfer.types.includes('Files')) event.preventDefault(); });
  section.addEventListener('drop', (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    event.stopPropagation(); // the editor would insert the file at the pointer
    take(file);
  }, true);
  section.querySelector('.tools').hidden = false;

  // The run.

  const work = (words, request, display) => busy(run, () => words, () => 'Stopped.', () => checker.stop('stopped'), () => checker.ask(request, display));
  const start = async () => {
    const { bench, fields } = inputs.request(), source = editor.text(), now = JSON.stringify(state()), early = [];
    const answer = await work('Running…', { do: 'bench', source, bench }, (display) => {
      if (early.length === 0) ranWith = now;
      early.push(display);
      showDisplays(place, early);
    });
    if (!answer) return;
    const problems = (answer.fields ?? []).map(({ list, at, says }) => ({ field: fields[list][at], says }));
    inputs.problems(problems);
    if (problems.length > 0) doing.textContent = 'It did not run: something is wrong with an input above.';
    changed();
  };
  const startSteps = (opener, at = {}) => steps.open({
    id: name, caseLabel: 'The pass', opener, current: editor.text, target: () => ({ bench: inputs.request().bench }), copyLink: (step) => copy(step),
    from: at.step ? { case: at.step.case, moment: at.step.moment, invocation: at.step.invocation } : {}, breakpoints: at.step?.breakpoints,
    begin: (request) => work('Choosing where to start…', request),
    refuse: (why) => doing.replaceChildren(...why),
  });

  // The link.

  const copy = async (step) => {
    try {
      const hash = await benchHash({ ...state(), ...(step && { step }) });
      await copyText(location.href.replace(/#.*/, '') + hash);
      return step ? 'Copied. The link also holds this step.' : 'Copied. The link holds the shader and its inputs.';
    } catch (error) {
      if (error instanceof TooLong) return 'Nothing was copied: the shader and its inputs are too long for a link. Shorten the lists of values.';
      return `Nothing was copied: ${error.message}.`;
    }
  };
  const arrive = async () => {
    if (!location.hash.startsWith('#try=')) return;
    let bench;
    try {
      bench = await benchIn(location.hash);
    } catch (error) {
      const why = error instanceof TooLong ? 'it is too long' : 'part of it is missing or damaged';
      offer.replaceChildren(element('p', {}, `Could not read this link: ${why}. What was on your bench is still here.`));
      return;
    } finally {
      history.replaceState(null, '', '#bench');
    }
    show(bench);
    const parts = ['This shader came with the link. It hasn’t run yet.'];
    if (bench.from) parts.push(` It is from the check of ${bench.from}.`);
    if (bench.notes) parts.push(' ', ...spoken(bench.notes));
    parts.push(' ', element('em', {}, 'Put back what was here'), ' brings yours back.');
    const buttons = element('p', { className: 'buttons' });
    if (bench.step) {
      const go = element('button', { type: 'button', textContent: 'Go to the step in the link', onclick: () => startSteps(go, bench) });
      buttons.append(go);
    }
    buttons.append(element('button', { type: 'button', className: 'quiet', textContent: 'Close', onclick: () => {
      offer.replaceChildren();
      editor.focus();
    } }));
    offer.replaceChildren(element('p', {}, ...parts), buttons);
    section.scrollIntoView();
  };

  section.querySelector('.inputs').addEventListener('keydown', (event) => { // as in the editor, and in any form
    if (event.key === 'Enter' && event.target.matches('input')) start();
  });
  const button = (selector, action) => {
    const found = run.querySelector(selector);
    found.disabled = false;
    found.onclick = () => action(found);
  };
  button('.start', start);
  button('.step', (opener) => startSteps(opener));
  button('.copy', async () => { doing.textContent = await copy(steps.position(name)); });
  addEventListener('hashchange', arrive);
  arrive();
  outline();
};
