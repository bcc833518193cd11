// What the driver needs to know of JupyterLab's debugger.
globalThis.debugging ??= (() => {
  const cells = () => [...document.querySelectorAll('.jp-NotebookPanel .jp-Notebook .jp-Cell')];
  const middle = (element) => {
    element.scrollIntoView({ block: 'nearest' });
    const { left, top, width, height } = element.getBoundingClientRect();
    return { left: left + width / 2, top: top + height / 2, width, height };
  };
  const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.innerText.trim());

  return {
    bug: () => middle(document.querySelector('.jp-NotebookPanel .jp-DebuggerBugButton')),
    available: () => {
      const bug = document.querySelector('.jp-NotebookPanel .jp-DebuggerBugButton');
      return bug !== null && !bug.disabled && bug.getAttribute('aria-disabled') !== 'true';
    },
    on: () => document.querySelector('.jp-NotebookPanel .jp-DebuggerBugButton')?.getAttribute('aria-pressed') === 'true',
    // The place beside a line of a cell where a click sets a breakpoint.
    gutter: (i, line) => {
      const text = cells()[i].querySelectorAll('.cm-line')[line - 1];
      text.scrollIntoView({ block: 'center' });
      cells()[i].querySelector('.cm-scroller').scrollLeft = 0; // a long line has moved what others click on
      const { left, width } = cells()[i].querySelector('.cm-breakpoint-gutter').getBoundingClientRect();
      const { top, height } = text.getBoundingClientRect();
      return { left: left + width / 2, top: top + height / 2, width, height };
    },
    gutters: (i) => cells()[i].querySelectorAll('.cm-breakpoint-gutter .cm-gutterElement').length,
    breakpoints: () => texts('.jp-DebuggerBreakpoint'),
    // The number of the line that is marked as the one that the debugger stands at; 0 for none.
    line: (i) => [...cells()[i].querySelectorAll('.cm-line')].findIndex((e) => e.classList.contains('jp-DebuggerEditor-highlight')) + 1,
    frames: () => texts('.jp-DebuggerCallstackFrame'),
    frame: (i) => middle(document.querySelectorAll('.jp-DebuggerCallstackFrame')[i]),
    variables: () => texts('.jp-DebuggerVariables-body .jp-TreeItem').map((text) => text.replace(/\s+/, ': ')),
    console: () => document.querySelector('.jp-DebugConsole .jp-CodeConsole-promptCell .cm-content') !== null,
    consolePrompt: () => middle(document.querySelector('.jp-DebugConsole .jp-CodeConsole-promptCell .cm-line')),
    consoleText: () => texts('.jp-DebugConsole .jp-OutputArea-output').join('\n'),
    button: (command) => {
      const button = document.querySelector(`.jp-DebuggerSidebar [data-command="${command}"]`);
      return button && !button.disabled && button.getAttribute('aria-disabled') !== 'true' ? middle(button) : null;
    },
  };
})();
