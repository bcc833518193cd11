// Lets the Go driver inspect JupyterLab's debugger.
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

  // The number of frames since the page opened, and of the last one in which the console's prompt did not have the focus.
  let frame = 0, away = 0;
  const focused = () => prompt()?.querySelector('.cm-editor')?.contains(document.activeElement) ?? false;
  const count = () => {
    frame++;
    if (!focused()) away = frame;
    requestAnimationFrame(count);
  };
  count();

  // The debugger commands that JupyterLab sent, in order; the messages are partly text. Also the time of the last stop
  // event.
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

  // The click target: its last known place, and the frame since which it has been there.
  let aim = { element: null, left: 0, top: 0, since: 0 };
  const patience = 6; // frames without movement

  // Whether the last mouse press hit the target. Recorded at once, because the page may change a moment later.
  let find = null, met = false;
  document.addEventListener('mousedown', (event) => { met = find?.()?.contains(event.target) ?? false; }, true);

  return {
    // The place of an element, once it is in view, at rest and not covered; null before that.
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
    // The place next to a line of a cell where a click sets a breakpoint.
    gutter: (i, line) => {
      const text = inView(cells()[i].querySelectorAll('.cm-line')[line - 1], 'center');
      if (!text) return null;
      cells()[i].querySelector('.cm-scroller').scrollLeft = 0; // a long line may have scrolled the gutter away
      const { top, height } = text.getBoundingClientRect();
      return [...cells()[i].querySelectorAll('.cm-gutter.cm-breakpoint-gutter > .cm-gutterElement')].find((element) => {
        const beside = element.getBoundingClientRect();
        return beside.height > 0 && beside.top <= top + height / 2 && top + height / 2 < beside.bottom;
      }) ?? null;
    },
    // The lines of the breakpoints that the panel lists.
    breakpoints: () => texts('.jp-DebuggerBreakpoint').map((text) => Number(text.match(/\d+$/)?.[0] ?? 0)),
    // The number of the line that is marked as the debugger's current one; 0 for none.
    line: (i) => [...cells()[i].querySelectorAll('.cm-line')].findIndex((e) => e.classList.contains('jp-DebuggerEditor-highlight')) + 1,
    frames: () => texts('.jp-DebuggerCallstackFrame'),
    frame: (i) => inView(document.querySelectorAll('.jp-DebuggerCallstackFrame')[i]),
    // The titles of the panel and the places of the frames that are cut off.
    clipped: () => [...document.querySelectorAll('.jp-DebuggerSidebar .lm-AccordionPanel-titleLabel, .jp-DebuggerCallstackFrame-location')]
      .filter((element) => {
        const panel = element.closest('.jp-DebuggerSidebar').getBoundingClientRect();
        return element.scrollWidth > element.clientWidth + 1 && element.matches('.lm-AccordionPanel-titleLabel')
          || element.getBoundingClientRect().right > panel.right;
      }).map((element) => element.innerText),
    variables: () => texts('.jp-DebuggerVariables-body .jp-TreeItem').map((text) => text.replace(/\s*\n\s*/, ': ')),
    scopes: () => [...document.querySelectorAll('.jp-DebuggerSidebar select[aria-label="Scope"] option')].map((option) => option.value),
    button: (command) => {
      const button = document.querySelector(`.jp-DebuggerSidebar [data-command="${command}"]`);
      return enabled(button) ? inView(button) : null;
    },

    // The smallest element in a cell's outputs that begins with a text.
    output: (i, text) => inView([...cells()[i].querySelectorAll('.jp-OutputArea-output *')]
      .findLast((element) => element.textContent.startsWith(text) && element.getClientRects().length > 0), 'center'),

    console: () => prompt()?.querySelector('.cm-content') != null,
    consolePrompt: () => inView(prompt()?.querySelector('.cm-line')),
    consoleFocused: () => focused() && frame - away >= 3 * patience,
    consoleTyped: () => prompt()?.querySelector('.cm-content')?.textContent ?? '',
    answers: () => texts('.jp-DebugConsole .jp-OutputArea-output'),

    // Starts a clock at the next mouse press. It stops in the first frame in which a condition is true.
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
    since: 0,   // the part of took after the stop event reached the page
    asked: () => asked, // since the clock was started
    // Whether JupyterLab has asked the debugger nothing for a while. A second after a change it sets all breakpoints again, as
    // they were before that request began; a click in the meantime is lost.
    quiet: () => performance.now() - lastAsked > 1500,
  };
})();
