// What the driver needs to know of JupyterLab's debugger.
globalThis.debugging ??= (() => {
  const cells = () => [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell')];
  const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.innerText.trim());
  const enabled = (button) => button && !button.disabled && button.getAttribute('aria-disabled') !== 'true';
  const inView = (element, block = 'nearest') => {
    element?.scrollIntoView({ block });
    return element ?? null;
  };
  const bug = () => document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-DebuggerBugButton');
  const prompt = () => document.querySelector('.jp-DebugConsole .jp-CodeConsole-promptCell');

  // Frames that were drawn since the page was opened, and the last in which the console's prompt had not the keyboard: behind
  // each answer the call stack is filled again, and JupyterLab gives the notebook the keyboard, in which Shift-Enter runs a cell.
  let frame = 0, away = 0;
  const focused = () => prompt()?.querySelector('.cm-editor')?.contains(document.activeElement) ?? false;
  const count = () => {
    frame++;
    if (!focused()) away = frame;
    requestAnimationFrame(count);
  };
  count();

  // What JupyterLab asks the debugger, in its order: the protocol's commands, in messages that are in part text. And when it
  // was last told of a stop.
  const asked = [], heard = new WeakSet();
  let stopped = 0, lastAsked = 0;
  const textOf = (data) => (typeof data === 'string' ? data : new TextDecoder().decode(data));
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    const text = textOf(data);
    const command = /"msg_type": ?"debug_request"/.test(text) && text.match(/"command": ?"(\w+)"/)?.[1];
    if (command) { asked.push(command); lastAsked = performance.now(); }
    if (!heard.has(this)) this.addEventListener('message', (event) => { if (/"event": ?"stopped"/.test(textOf(event.data))) stopped = event.timeStamp; });
    heard.add(this);
    send.call(this, data);
  };

  // What is aimed at: where it was when last looked at, and since which frame it has been there.
  let aim = { element: null, left: 0, top: 0, since: 0 };
  const patience = 6; // frames in which nothing moves

  // Whether the mouse came down last on what was aimed at. Asked as it happens: a moment later the page may be another.
  let find = null, met = false;
  document.addEventListener('mousedown', (event) => { met = find?.()?.contains(event.target) ?? false; }, true);

  return {
    // The place of an element, once it is in view, lies still, and nothing lies over it; else null.
    aim: (finder) => {
      find = finder;
      const element = finder();
      if (!element) return null;
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = { left: left + width / 2, top: top + height / 2, width, height };
      const same = element === aim.element && at.left === aim.left && at.top === aim.top;
      if (!same || !element.contains(document.elementFromPoint(at.left, at.top))) aim = { element, ...at, since: frame };
      return frame - aim.since >= patience ? at : null;
    },
    met: () => met,

    bug: () => (enabled(bug()) ? bug() : null),
    on: () => bug()?.getAttribute('aria-pressed') === 'true',
    // The place beside a line of a cell where a click sets a breakpoint.
    gutter: (i, line) => {
      const text = inView(cells()[i].querySelectorAll('.cm-line')[line - 1], 'center');
      if (!text) return null;
      cells()[i].querySelector('.cm-scroller').scrollLeft = 0; // a long line has moved what others click on
      const { top, height } = text.getBoundingClientRect();
      return [...cells()[i].querySelectorAll('.cm-gutter.cm-breakpoint-gutter > .cm-gutterElement')].find((element) => {
        const beside = element.getBoundingClientRect();
        return beside.height > 0 && beside.top <= top + height / 2 && top + height / 2 < beside.bottom;
      }) ?? null;
    },
    // The lines of the breakpoints that the panel lists.
    breakpoints: () => texts('.jp-DebuggerBreakpoint').map((text) => Number(text.match(/\d+$/)?.[0] ?? 0)),
    // The number of the line that is marked as the one that the debugger stands at; 0 for none.
    line: (i) => [...cells()[i].querySelectorAll('.cm-line')].findIndex((e) => e.classList.contains('jp-DebuggerEditor-highlight')) + 1,
    frames: () => texts('.jp-DebuggerCallstackFrame'),
    frame: (i) => inView(document.querySelectorAll('.jp-DebuggerCallstackFrame')[i]),
    variables: () => texts('.jp-DebuggerVariables-body .jp-TreeItem').map((text) => text.replace(/\s*\n\s*/, ': ')),
    scopes: () => [...document.querySelectorAll('.jp-DebuggerSidebar select[aria-label="Scope"] option')].map((option) => option.value),
    button: (command) => {
      const button = document.querySelector(`.jp-DebuggerSidebar [data-command="${command}"]`);
      return enabled(button) ? inView(button) : null;
    },

    // The smallest thing in a cell's outputs that begins with a text.
    output: (i, text) => inView([...cells()[i].querySelectorAll('.jp-OutputArea-output *')]
      .findLast((element) => element.textContent.startsWith(text) && element.getClientRects().length > 0), 'center'),

    console: () => prompt()?.querySelector('.cm-content') != null,
    consolePrompt: () => inView(prompt()?.querySelector('.cm-line')),
    consoleFocused: () => focused() && frame - away >= 3 * patience,
    consoleTyped: () => prompt()?.querySelector('.cm-content')?.textContent ?? '',
    answers: () => texts('.jp-DebugConsole .jp-OutputArea-output'),

    // Starts a clock when the mouse comes down next, which stops in the frame in which something is true.
    time: (done) => {
      debugging.took = null;
      asked.length = 0;
      document.addEventListener('mousedown', (event) => {
        const look = () => {
          const now = performance.now();
          if (done()) [debugging.took, debugging.since] = [now - event.timeStamp, now - stopped];
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }, { capture: true, once: true });
    },
    took: null, // in ms; null while the clock runs
    since: 0,   // of that, since the page was told of the stop
    asked: () => asked, // since the clock was started
    // Whether JupyterLab has asked the debugger nothing for a while. A second after a change it sets all breakpoints again, as
    // they were before that request began; a click in the meantime is lost.
    quiet: () => performance.now() - lastAsked > 1500,
  };
})();
