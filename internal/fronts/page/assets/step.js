// The step view: a debugger at the bottom of the window, as in browsers. Go runs the shader (internal/fronts/desk,
// step.go) and answers each request with everything that the view shows.

import { checker } from './judge.js';
import { coloured } from './editor.js';
import { element, spoken } from './words.js';
import { markSpan, strip, legend, memory, variables } from './stepparts.js';

// kept holds the breakpoints of each exercise, and of the bench, with the text that they belong to.
const kept = new Map();

// carried moves breakpoints to a changed text. Each moves with its line, to the nearest line with the same text. If its
// line itself changed, it moves with the neighbouring lines.
const carried = ({ text, list } = { text: '', list: [] }, now) => {
  const before = text.split('\n'), lines = now.split('\n');
  const find = (line, by) => { // the line at an offset from a neighbour's new place
    const found = lines.flatMap((other, i) => (other === before[line - by - 1] ? [i + 1 + by] : []));
    return found.sort((one, other) => Math.abs(one - line) - Math.abs(other - line))[0];
  };
  return list.flatMap((b) => {
    const line = find(b.line, 0) ?? find(b.line, 1) ?? find(b.line, -1);
    return line ? [{ ...b, line }] : [];
  });
};

// The buttons: request, label, key and icon.
const buttons = [
  ['continue', 'Continue', 'F8', '<path d="M3.5 2.5v11"/><path d="M7 3l6.5 5L7 13z" fill="currentColor"/>'],
  ['pause', 'Pause', 'F8', '<path d="M5 3v10M11 3v10" stroke-width="2.6"/>'],
  ['over', 'Step over', 'F10', '<path d="M2 8.5a6 6 0 0 1 11.2-2.2M13.8 2.6v4h-4"/><circle cx="8" cy="12.4" r="1.7" fill="currentColor"/>'],
  ['in', 'Step in', 'F11', '<path d="M8 1.5v7M5 5.8l3 3 3-3"/><circle cx="8" cy="12.8" r="1.7" fill="currentColor"/>'],
  ['out', 'Step out', 'Shift+F11', '<path d="M8 9.2V2M5 4.8l3-3 3 3"/><circle cx="8" cy="12.8" r="1.7" fill="currentColor"/>'],
  ['back', 'Back', 'F7', '<path d="M14 8.5A6 6 0 0 0 2.8 6.3M2.2 2.6v4h4"/><circle cx="8" cy="12.4" r="1.7" fill="currentColor"/>'],
  ['stop', 'Stop', 'Shift+F5', '<rect x="3.5" y="3.5" width="9" height="9" rx="1" fill="currentColor"/>'],
  ['again', 'Start again', 'Shift+F5', '<path d="M12.9 5.2A5.6 5.6 0 1 0 13.6 8M13.3 1.9v3.6H9.7"/>'],
];

const svg = (drawing) => `<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawing}</svg>`;

// keyOf returns a key's name in the style of the buttons.
const keyOf = ({ key, shiftKey }) => (shiftKey ? 'Shift+' : '') + key;

class View {
  state = null;    // what is shown
  breakpoints;     // {line, condition, problem}
  open = [];       // the paths of variables that show their parts
  frame = 0;
  #busy = false;   // a request is running
  #next = null;    // the request after it
  #wants = null;   // pause or stop, for a running shader
  #alive = true;   // a run exists
  #closed = false;
  #said = [];      // the console's lines, newest first
  #parts = {};

  constructor(what) {
    Object.assign(this, what); // {id, caseLabel, current, target, from, breakpoints, opener, copyLink}
    this.text = this.current();
    this.breakpoints ??= carried(kept.get(this.id), this.text);
    this.#build();
  }

  // request returns a request with everything that its answer depends on.
  request(step) {
    return { do: 'step', ...this.target(), source: this.text, step: { ...step, breakpoints: this.breakpoints, open: this.open, frame: this.frame } };
  }

  begin() {
    this.began = JSON.stringify(this.target());
    return this.request({ do: 'begin', ...this.from });
  }

  // do runs one action at a time. Of the actions that arrive meanwhile, it runs only the last.
  async #do(what) {
    if (this.#busy) {
      this.#next = what;
      return;
    }
    this.#busy = true;
    try {
      await what();
    } finally {
      this.#busy = false;
    }
    const next = this.#next;
    this.#next = null;
    if (next) await this.#do(next);
  }

  // ask sends a request to the judge. An error ends the run.
  async #ask(request) {
    const words = checker.busy ? 'Waiting for the running check…' : 'Working…';
    const slow = setTimeout(() => { if (!this.#running) this.#say(words); }, 700);
    try {
      return await checker.ask(request);
    } catch (error) {
      this.#over(error.message === 'stopped' ? 'You stopped the check, which ended this run as well. Start it again.' : `${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
      return null;
    } finally {
      clearTimeout(slow);
    }
  }

  // follow shows an answer, and keeps asking until the run stops.
  async follow(state) {
    while (state?.running && !this.#closed) {
      this.#showRunning(state.says);
      const wants = this.#wants;
      this.#wants = null;
      if (wants === 'stop') return this.#end();
      state = await this.#ask(this.request({ do: wants ?? 'on' }));
    }
    if (state && !this.#closed) this.show(state);
  }

  // press runs a button's action.
  press(what) {
    if (this.#running) this.#wants = what;
    else this.#do(() => this.#press(what));
  }

  async #press(what) {
    if (this.#parts[what].getAttribute('aria-disabled') === 'true') return;
    if (what === 'again') return this.#again();
    if (what === 'stop') return this.#end();
    this.frame = 0;
    await this.follow(await this.#ask(this.request({ do: what })));
  }

  get #running() { return this.#parts.root.hasAttribute('data-running'); }

  async #again() {
    this.from = { ...this.from, moment: 0 };
    this.text = this.current();
    this.breakpoints = carried({ text: this.source, list: this.breakpoints }, this.text);
    this.frame = 0;
    this.#say('Choosing where to start…');
    const state = await this.#ask(this.begin());
    if (!state) return;
    if (state.problem) {
      this.#over(state.problem);
      this.#showSource();
      return;
    }
    this.#alive = true;
    await this.follow(state);
  }

  // end ends the run.
  async #end() {
    if (await this.#ask(this.request({ do: 'end' }))) this.#over('Stopped. The shader did not run to its end.');
  }

  // over shows that the run is over, and why. The source and its breakpoints stay.
  #over(why) {
    const parts = this.#parts, within = this.#within();
    this.#alive = false;
    this.state = null;
    parts.root.removeAttribute('data-running');
    parts.root.removeAttribute('data-wrong');
    this.#say(why);
    this.#showButtons();
    this.#showBreakpoints();
    this.#mark(null);
    parts.frames.hidden = true;
    for (const what of [parts.workgroup, parts.memory, parts.variables]) what.replaceChildren();
    if (within && !this.#within()) parts.again.focus();
  }

  close() {
    this.#closed = true;
    this.#next = null;
    kept.set(this.id, { text: this.text, list: this.breakpoints });
    if (this.#alive) checker.ask(this.request({ do: 'end' })).catch(() => {});
    this.#parts.root.remove();
    document.documentElement.classList.remove('stepping');
    if (this.opener.isConnected) this.opener.focus();
    shown = null;
  }

  // within reports whether the view has the focus, and therefore receives the keys.
  #within() { return this.#parts.root.contains(document.activeElement); }

  // The display.

  #build() {
    const parts = this.#parts;
    for (const [what, words, key, drawing] of buttons) {
      const button = element('button', { type: 'button', className: what, title: `${words} (${key})`, onclick: () => this.press(what) }, element('span', {}, words));
      button.setAttribute('aria-keyshortcuts', key);
      button.insertAdjacentHTML('afterbegin', svg(drawing));
      parts[what] = button;
    }
    const tools = element('div', { className: 'steps', role: 'group', ariaLabel: 'Step controls' }, ...buttons.map(([what]) => parts[what]));
    const larger = element('button', { type: 'button', className: 'quiet larger', textContent: 'Larger', onclick: () => {
      larger.textContent = parts.root.toggleAttribute('data-large') ? 'Smaller' : 'Larger';
    } });
    const close = element('button', { type: 'button', className: 'quiet close', title: 'Close (Escape)', ariaLabel: 'Close', textContent: '✕', onclick: () => this.close() });
    const link = element('button', { type: 'button', className: 'quiet link', hidden: !this.copyLink, textContent: 'Copy link', title: 'Copies a link to this step', onclick: async () => this.#say(await this.copyLink(this.position())) });
    parts.case = element('select', { ariaLabel: this.caseLabel ?? 'The case of the check', onchange: () => {
      this.from = { ...this.from, case: parts.case.value };
      this.#do(() => this.#again());
    } });
    parts.says = element('p', { className: 'says', role: 'status' });
    parts.older = element('p', { className: 'older', role: 'status', hidden: true },
      'You have edited the shader. This run still uses the old version: ', element('b', {}, 'Start again'), ' runs the new one.');
    parts.source = element('div', { className: 'source', role: 'group', ariaLabel: 'The shader; the button next to a line sets a breakpoint' });
    parts.frames = element('p', { className: 'frames' });
    parts.workgroup = element('div', { className: 'workgroup' });
    parts.memory = element('div', { className: 'memory' });
    parts.variables = element('div', { className: 'variables', role: 'group', ariaLabel: 'Variables' });
    parts.log = element('div', { className: 'log', role: 'log', tabIndex: 0, ariaLabel: 'Console output', hidden: true });
    parts.input = element('input', { type: 'text', ariaLabel: 'The console: an expression, or a command', placeholder: 'i * 2u, invocation 3, where i > 5u, help', autocomplete: 'off', spellcheck: false });
    parts.input.setAttribute('autocapitalize', 'off');
    parts.root = element('section', { className: 'stepview', ariaLabel: `Step through ${this.id}`, tabIndex: -1 },
      element('header', {}, element('h2', {}, element('span', {}, 'Step through '), element('code', {}, this.id)), parts.case, tools, element('span', { className: 'grow' }), link, larger, close),
      parts.says, parts.older,
      element('div', { className: 'panes' },
        element('div', { className: 'pane text' }, parts.source),
        element('div', { className: 'pane who' }, parts.workgroup, parts.memory),
        element('div', { className: 'pane what' }, parts.frames, parts.variables,
          element('div', { className: 'console' }, parts.log, element('div', { className: 'prompt' }, parts.input)))));
    new ResizeObserver(() => this.#reveal(parts.source.querySelector('.here'))).observe(parts.root);
    parts.root.addEventListener('keydown', (event) => this.#key(event));
    parts.input.addEventListener('keydown', (event) => this.#type(event));
    this.#showSource();
  }

  // appear adds the view to the page.
  appear(state) {
    document.body.append(this.#parts.root);
    document.documentElement.classList.add('stepping');
    this.#parts.over.focus();
    this.#do(() => this.follow(state));
  }

  show(state) {
    const parts = this.#parts, within = this.#within();
    this.state = state;
    this.frame = state.frame;
    if (this.source !== this.text) this.#showSource();
    parts.root.removeAttribute('data-running');
    parts.root.toggleAttribute('data-wrong', state.wrong);
    parts.case.hidden = state.cases.length < 2;
    parts.case.replaceChildren(...state.cases.map((name) => new Option(name, name, false, name === state.case)));
    const [problem] = state.breakpoints.filter((b) => b.problem);
    this.breakpoints = state.breakpoints.filter((b) => !b.problem);
    this.#say(problem ? `No breakpoint on line ${problem.line}: ${problem.problem}` : state.says, state.ended ? state.findings : []);
    this.#showButtons();
    this.#showBreakpoints();
    this.#mark(state);
    this.#showFrames();
    const focused = [...parts.workgroup.querySelectorAll('.strip > *')].indexOf(document.activeElement);
    parts.workgroup.replaceChildren(...this.#group());
    parts.workgroup.querySelectorAll('.strip > *')[focused]?.focus({ preventScroll: true });
    const list = parts.workgroup.querySelector('.strip'), chosen = list.children[state.invocation];
    list.scrollTop = chosen.offsetTop - list.offsetTop - list.clientHeight / 2; // it scrolls on a phone
    parts.memory.replaceChildren(...memory(state.picture));
    variables(parts.variables, state.scopes, (path) => this.#toggle(path));
    if (state.answer) this.#answered(state.answer);
    this.changed();
    if (within && !this.#within()) parts.root.focus({ preventScroll: true });
  }

  // changed shows a notice if the editor's text, or what it runs on, differs from the running one.
  changed() { this.#parts.older.hidden = this.current() === this.text && JSON.stringify(this.target()) === this.began; }

  // position returns the step that is shown, for a link; null if there is none.
  position() {
    if (!this.state) return null;
    const { case: name, moment, invocation } = this.state;
    return { case: name, moment, invocation, breakpoints: this.breakpoints.map(({ line, condition }) => ({ line, condition })) };
  }

  #say(words, more = []) {
    const { says } = this.#parts;
    says.replaceChildren(...spoken(words));
    if (more.length > 0) says.append(element('span', { className: 'findings' }, ...spoken(' ' + more.join(' '))));
  }

  #showRunning(words) {
    const { root, says } = this.#parts;
    if (!this.#running) {
      root.toggleAttribute('data-running', true);
      this.#next = null;
      says.replaceChildren('Running… ', element('span', { ariaHidden: 'true' }));
      this.#showButtons();
    }
    if (words && says.lastElementChild) says.lastElementChild.textContent = words.replace('Running: ', '');
  }

  #showButtons() {
    const running = this.#running, alive = this.#alive, over = !alive || this.state?.ended;
    const parts = this.#parts, focused = document.activeElement;
    parts.continue.hidden = running;
    parts.pause.hidden = !running;
    parts.stop.hidden = over && !running;
    parts.again.hidden = !parts.stop.hidden;
    const off = (what, is) => parts[what].setAttribute('aria-disabled', is);
    for (const what of ['continue', 'over', 'in', 'out']) off(what, running || over);
    off('back', running || !alive);
    if (focused?.hidden && this.#within()) {
      (running ? parts.pause : over ? parts.again : parts.over).focus();
    }
  }

  // The source, with a button next to each line.

  #showSource() {
    this.source = this.text;
    let line = element('code', {}), number = 0;
    const rows = [];
    const row = () => {
      const at = ++number;
      const spot = element('button', { type: 'button', className: 'spot', tabIndex: at === 1 ? 0 : -1, onclick: () => this.#toggleBreakpoint(at) }, String(at));
      rows.push(element('div', { className: 'row' }, spot, line));
      line = element('code', {});
    };
    for (const part of coloured(this.text.replace(/\n$/, ''))) {
      if (part === '\n') row();
      else line.append(part);
    }
    row();
    this.#parts.source.replaceChildren(...rows);
    this.#parts.source.onkeydown = (event) => this.#walk(event);
    this.#showBreakpoints();
  }

  // walk moves from line to line with the arrow keys. The lines are a single tab stop.
  #walk(event) {
    const rows = [...this.#parts.source.children], at = rows.findIndex((row) => row.firstChild === event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at < 0 || to === undefined || !rows[to]) return;
    event.preventDefault();
    this.#rest(rows[to].firstChild);
    rows[to].firstChild.focus({ preventScroll: true });
    this.#reveal(rows[to]);
  }

  // rest makes one line's button the tab stop.
  #rest(spot) {
    for (const other of this.#parts.source.querySelectorAll('.spot[tabindex="0"]')) other.tabIndex = -1;
    spot.tabIndex = 0;
  }

  #showBreakpoints() {
    const at = new Map(this.breakpoints.map((b) => [b.line, b])), own = this.state?.own ?? [];
    [...this.#parts.source.children].forEach((row, i) => {
      const spot = row.firstChild, b = at.get(i + 1);
      spot.ariaPressed = Boolean(b);
      spot.toggleAttribute('data-own', own.includes(i + 1));
      spot.toggleAttribute('data-if', Boolean(b?.condition));
      spot.title = b?.condition ? `stops if ${b.condition}` : '';
      spot.ariaLabel = `Line ${i + 1}, breakpoint${b?.condition ? ` if ${b.condition}` : ''}${own.includes(i + 1) ? ', one of the shader’s own' : ''}`;
    });
  }

  #toggleBreakpoint(line) {
    const others = this.breakpoints.filter((b) => b.line !== line);
    this.breakpoints = others.length < this.breakpoints.length ? others : [...others, { line, condition: '', problem: '' }];
    this.#rest(this.#parts.source.children[line - 1].firstChild);
    this.#showBreakpoints();
    if (!this.#running) this.#do(() => this.#refresh());
  }

  // refresh shows the same moment again.
  async #refresh() {
    if (!this.#alive) return;
    const state = await this.#ask(this.request({ do: 'show' }));
    if (state) this.show(state);
  }

  // mark marks the current line and statement, and the lines that other invocations have reached.
  #mark(state) {
    const rows = [...this.#parts.source.children];
    for (const row of rows) {
      row.classList.remove('here');
      row.removeAttribute('aria-current');
      row.style.removeProperty('--stands');
    }
    markSpan(null);
    if (!state) return;
    for (const group of state.picture.groups) rows[group.line - 1]?.style.setProperty('--stands', group.colour);
    const row = rows[state.at.line - 1];
    if (!row || state.ended) return;
    row.classList.add('here');
    row.setAttribute('aria-current', 'step');
    this.#rest(document.activeElement?.closest?.('.source') ? document.activeElement : row.firstChild);
    const before = this.text.split('\n', state.at.line - 1).join('\n').length + (state.at.line > 1 ? 1 : 0);
    markSpan(row.lastChild, state.at.from - before, state.at.to - before);
    this.#reveal(row);
  }

  // reveal scrolls only the source, until a line and its neighbours are visible.
  #reveal(row) {
    if (!row) return;
    const pane = this.#parts.source.parentElement, around = 2 * row.offsetHeight;
    const { top, bottom } = pane.getBoundingClientRect(), at = row.getBoundingClientRect();
    if (at.top - around < top) pane.scrollTop -= top - at.top + around;
    else if (at.bottom + around > bottom) pane.scrollTop += at.bottom + around - bottom;
  }

  // The workgroup.

  #group() {
    const { state } = this;
    const head = element('h3', {}, `Workgroup ${state.workgroup}`, element('span', {}, ` · ${state.workgroups} in total`));
    if (!state.first || !state.last) {
      const go = (by, words, off) => element('button', { type: 'button', className: 'quiet', ariaLabel: words, title: words, disabled: off, textContent: by < 0 ? '‹' : '›',
        onclick: () => this.#turn({ do: 'workgroup', by }, `.workgroup h3 button:nth-of-type(${by < 0 ? 1 : 2})`) });
      head.append(' ', go(-1, 'The previous workgroup', state.first), go(1, 'The next workgroup', state.last));
    }
    const cells = strip(state, (invocation) => this.#turn({ do: 'look', invocation }, '.strip [tabindex="0"]'));
    return [head, cells, legend(state.picture)];
  }

  // turn selects another invocation, and keeps the focus.
  #turn(step, focus) {
    if (this.#running) return;
    this.#do(async () => {
      if (!this.#alive) return;
      this.frame = 0;
      const state = await this.#ask(this.request(step));
      if (!state) return;
      this.show(state);
      this.#parts.root.querySelector(focus)?.focus({ preventScroll: true });
    });
  }

  #showFrames() {
    const { frames, frame } = this.state;
    this.#parts.frames.hidden = frames.length < 2;
    this.#parts.frames.replaceChildren('In ', ...frames.flatMap(({ name, line }, i) => {
      const button = element('button', { type: 'button', className: 'quiet', textContent: `${name}, line ${line}`, ariaPressed: i === frame, onclick: () => this.#do(async () => {
        this.frame = i;
        await this.#refresh();
        this.#parts.frames.querySelectorAll('button')[i]?.focus();
      }) });
      return i === 0 ? [button] : [' called by ', button];
    }));
  }

  #toggle(path) {
    this.open = this.open.includes(path) ? this.open.filter((other) => other !== path) : [...this.open, path];
    if (!this.#running) this.#do(() => this.#refresh());
  }

  // The console.

  #type(event) {
    const { input } = this.#parts;
    if (event.key === 'ArrowUp' && this.#said.length > 0) {
      event.preventDefault();
      const at = this.#said.indexOf(input.value);
      input.value = this.#said[Math.min(at + 1, this.#said.length - 1)];
    }
    const line = input.value.trim();
    if (event.key !== 'Enter' || event.isComposing || line === '') return;
    event.preventDefault();
    if (!this.#alive || this.#running) this.#answered({ text: this.#alive ? 'The shader is running: pause it first.' : 'The run has ended: start it again.', failed: true });
    else this.#do(() => this.#sayLine(line));
  }

  async #sayLine(line) {
    const { input, log } = this.#parts;
    const state = await this.#ask(this.request({ do: 'say', line }));
    if (!state) return;
    this.#said = [line, ...this.#said.filter((other) => other !== line)].slice(0, 50);
    input.value = '';
    log.append(element('div', { className: 'asked' }, line));
    this.show(state);
  }

  #answered({ text, failed }) {
    const { log } = this.#parts;
    log.hidden = false;
    log.append(element('div', { className: failed ? 'failed' : 'answer' }, ...spoken(text)));
    log.scrollTop = log.scrollHeight;
  }

  // While the view has the focus, the keys are those of browsers' own debuggers.

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = keyOf(event);
    if (key === 'Escape') {
      event.preventDefault();
      this.close();
      return;
    }
    const [what] = buttons.find(([what, , its]) => its === key && !this.#parts[what].hidden) ?? [];
    if (what === undefined) return;
    event.preventDefault();
    this.press(what);
  }
}

let shown = null; // the open view

// open opens the step view of a shader. current returns the shader's current text, and target what it runs on: an
// exercise, or the bench's buffers. from, {seed, write} or {case, moment, invocation}, says where to start. copyLink, if
// there is one, copies a link to a step and returns what happened. begin asks the judge and shows that it works. opener gets the focus back.
export const open = async ({ begin, refuse, ...what }) => {
  const view = new View(what);
  const state = await begin(view.begin());
  if (!state) return;
  if (state.problem) {
    refuse(spoken(state.problem));
    return;
  }
  shown?.close();
  shown = view;
  view.appear(state);
};

// position returns the step that the view shows of a shader, or null.
export const position = (id) => (shown?.id === id ? shown.position() : null);

// changed handles an edit in an editor.
export const changed = () => shown?.changed();

// offer replaces a verdict's text about other debuggers with a button.
export const offer = (place, start) => {
  for (const details of place.querySelectorAll('[data-stop]')) {
    const { stop: write, seed } = details.dataset;
    const from = { seed: Number(seed), write };
    const button = element('button', { type: 'button', className: 'stophere', onclick: () => start(from, button) }, ...details.querySelector('summary').childNodes);
    details.replaceWith(element('p', {}, button));
  }
};
