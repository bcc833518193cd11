// Lets the Go driver inspect a page of JupyterLab. Cells count from 0.
globalThis.acceptance ??= (() => {
  const notebook = () => document.querySelector('.jp-NotebookPanel .jp-Notebook');
  const cells = () => [...(notebook()?.querySelectorAll('.jp-Cell') ?? [])];
  const shown = (element) => element.getClientRects().length > 0;
  const outputs = (cell) => [...cell.querySelectorAll('.jp-OutputArea-output')];
  const status = (panel) => panel?.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status;
  const round = (rect) => ({ left: rect.left, top: rect.top, width: rect.width, height: rect.height });

  // Describes elements that are wider than their place. Code may be, because it scrolls.
  const overflow = (root) => {
    const found = [];
    for (const element of [root, ...root.querySelectorAll('*')]) {
      const scrolls = getComputedStyle(element).overflowX !== 'visible' || element === root;
      if (element.closest('pre, code, .cm-editor') || !scrolls || element.clientWidth === 0) continue;
      // A positioned panel has its place only while it is open.
      if (getComputedStyle(element).position === 'absolute' && element.closest('details:not([open])')) continue;
      if (element.scrollWidth > element.clientWidth + 1) {
        const name = element.tagName.toLowerCase() + (element.className ? '.' + element.className : '');
        found.push(`${name} has a content of ${element.scrollWidth} px in ${element.clientWidth} px`);
      }
    }
    return found;
  };

  // JupyterLab draws cells, and shows what they print, when the browser draws a frame. Without a
  // window, Chromium draws none while nothing moves: this dot does.
  if (!document.getElementById('acceptance-moves')) {
    const dot = document.createElement('div');
    dot.id = 'acceptance-moves';
    dot.style.cssText = 'position: fixed; left: 0; bottom: 0; width: 1px; height: 1px; pointer-events: none';
    document.body.append(dot);
    dot.animate([{ opacity: 0.01 }, { opacity: 0.02 }], { duration: 1000, iterations: Infinity });
  }

  return {
    // Whether the button below a cell that asks an AI tutor has the keyboard.
    tutor: (i) => {
      const button = cells()[i].querySelector('.wgslab-tutor');
      button?.focus();
      return button !== null && document.activeElement === button && button.style.visibility !== 'hidden';
    },

    // Whether the notebook is open with this number of cells, all drawn, and has a
    // kernel. JupyterLab drops a Shift+Enter before that. (GoNB is "unknown", not
    // "idle", until its first cell.)
    ready: (count, states) => {
      const all = cells();
      const kernel = document.querySelector('.jp-NotebookPanel .jp-KernelName')?.innerText.trim();
      const state = status(document.querySelector('.jp-NotebookPanel'));
      return all.length === count && all.every((cell) =>
        cell.querySelector(cell.matches('.jp-MarkdownCell') ? '.jp-MarkdownOutput' : '.cm-content, .jp-InputPlaceholder')) &&
        kernel && kernel !== 'No Kernel' && states.split(' ').includes(state);
    },
    // Watches the kernel's states from now on; restarted reports whether it has restarted since. The
    // notebook looks ready until the restart begins, and cancels what was sent before.
    watchRestart: () => {
      const panel = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)');
      let began = false;
      // A state may pass before the observer is asked: then it is the old value of the next one.
      const observer = new MutationObserver((changes) => {
        began ||= status(panel) === 'restarting' || changes.some((c) => c.oldValue === 'restarting');
      });
      observer.observe(panel, {
        subtree: true, childList: true, attributes: true, attributeFilter: ['data-status'], attributeOldValue: true,
      });
      acceptance.restarted = () => {
        if (!began || status(panel) !== 'idle') return false;
        observer.disconnect();
        return true;
      };
    },
    prompt: (i) => cells()[i]?.querySelector('.jp-InputPrompt')?.textContent.trim() ?? '',
    // Whether the cell has run since its prompt was `before`.
    ran: (i, before) => {
      const prompt = acceptance.prompt(i);
      return prompt !== before && /^\[\d+\]:?$/.test(prompt);
    },
    cell: (i) => cells()[i],
    // Whether the cell's outputs are dimmed, and say why.
    outdated: (i) => {
      const output = cells()[i].querySelector('.jp-Cell-outputWrapper');
      return Number(getComputedStyle(output).opacity) < 0.7 && output.title !== '';
    },
    // The costs beside the cell's lines: step and words.
    heats: (i) => [...cells()[i].querySelectorAll('.wgslab-heat')].map((heat) => `${heat.className.slice(-1)}: ${heat.title}`),
    source: (i) => [...cells()[i].querySelectorAll('.cm-line')].map((line) => {
      const costs = line.querySelector('.wgslab-heats')?.textContent ?? '';
      return line.textContent.slice(0, line.textContent.length - costs.length);
    }).join('\n'),
    // The place of the cell's first line of code within the cell, and its width.
    code: (i) => {
      const { left, width } = cells()[i].querySelector('.cm-line').getBoundingClientRect();
      return `${left - cells()[i].getBoundingClientRect().left}, ${width}`;
    },
    // The middle of the bar in place of a folded shader, in view; null if the cell isn't folded.
    folded: (i) => {
      const bar = cells()[i].querySelector('.jp-InputPlaceholder');
      bar?.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = bar?.getBoundingClientRect() ?? {};
      return bar && { left: left + width / 2, top: top + height / 2, width: 0, height: 0 };
    },
    // The middle of the first line of the cell's editor, in view.
    editor: (i) => {
      const line = cells()[i].querySelector('.cm-line');
      line.scrollIntoView({ block: 'center' });
      cells()[i].querySelector('.cm-scroller').scrollLeft = 0; // otherwise the gutter covers the start of a long line
      const { left, top, height } = line.getBoundingClientRect();
      return { left: left + 8, top: top + height / 2, width: 0, height: 0 };
    },
    // The language of the cell's editor; "" while it has none.
    language: (i) => cells()[i].querySelector('.cm-content')?.dataset.language ?? '',
    // The colour of a word in the cell's editor; for an unmarked word, the colour of plain text.
    colour: (i, word) => {
      const content = cells()[i].querySelector('.cm-content');
      const marked = [...content.querySelectorAll('.cm-line span')].find((span) => span.textContent.trim() === word);
      return getComputedStyle(marked ?? content).color;
    },
    tabs: () => [...document.querySelectorAll('#jp-main-dock-panel .lm-TabBar-tabLabel')].map((label) => label.textContent),
    saved: () => document.querySelector('#jp-main-statusbar').textContent.includes('Saving completed'),
    // The number beside the cell's last line; 0 if its lines have none.
    numbers: (i) => Number([...cells()[i].querySelectorAll('.cm-lineNumbers .cm-gutterElement')].at(-1)?.textContent ?? 0),
    focused: (i) => cells()[i].querySelector('.cm-editor').contains(document.activeElement),
    // Scrolls the cell into view, and unfolds its contents. Returns whether the cell
    // is visible: JupyterLab does not draw distant cells.
    reveal: (i) => {
      const cell = cells()[i];
      cell.querySelectorAll('details').forEach((details) => { details.open = true; });
      cell.scrollIntoView({ block: 'start' });
      return cell.firstElementChild.checkVisibility({ contentVisibilityAuto: true });
    },
    // The text that a person sees in the cell: its outputs, or its rendered words.
    text: (i) => {
      const cell = cells()[i];
      const parts = cell.matches('.jp-MarkdownCell') ? [cell.querySelector('.jp-MarkdownOutput')] : outputs(cell);
      return parts.filter(shown).map((part) => part.innerText).join('\n');
    },
    // Opens everything that the cell's output folds; false if it folds nothing.
    unfold: (i) => {
      const folds = [...cells()[i].querySelectorAll('.jp-OutputArea-output details')];
      folds.forEach((details) => { details.open = true; });
      return folds.length > 0;
    },
    // The visible text of every hint in the cell. Other folded texts explain an idea in another way.
    hints: (i) => [...cells()[i].querySelectorAll('.jp-MarkdownOutput details')]
      .filter((details) => /^Hint \d/.test(details.querySelector('summary').textContent)).map((details) =>
      [...details.childNodes].filter((node) => node.nodeName !== 'SUMMARY')
        .map((node) => node.innerText ?? node.textContent).join('').trim()),
    overflow: (i) => {
      const cell = cells()[i];
      return [...outputs(cell), ...cell.querySelectorAll('.jp-MarkdownOutput')].filter(shown).flatMap(overflow);
    },
    // Empty room below the cell's last output: 24 px and more are no margin.
    holes: (i) => {
      const wrapper = cells()[i].querySelector('.jp-Cell-outputWrapper');
      if (!wrapper || !shown(wrapper)) return [];
      const { top, bottom } = wrapper.getBoundingClientRect();
      const empty = bottom - Math.max(top, ...outputs(cells()[i]).filter(shown).map((o) => o.getBoundingClientRect().bottom));
      return empty < 24 ? [] : [`${Math.round(empty)} px of nothing below the output`];
    },
    // The pictures of the cell that did not load. CodeMirror puts an empty one beside each badge.
    broken: (i) => [...cells()[i].querySelectorAll('img:not(.cm-widgetBuffer)')]
      .filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.alt || image.src),
    // The text of an open menu or tooltip; "" if none is open.
    popup: (selector) => [...document.querySelectorAll(selector)].filter((e) => e.offsetParent !== null || e.getClientRects().length).map((e) => e.innerText).join("\n"),
    settled: () => [...document.images].every((image) => image.complete),
    // The height of the notebook beyond the window, in pixels.
    hidden: () => {
      const scroller = [notebook(), ...notebook().querySelectorAll('.jp-WindowedPanel-outer')]
        .find((element) => element.scrollHeight > element.clientHeight + 1);
      return scroller ? scroller.scrollHeight - scroller.clientHeight : 0;
    },
    places: () => cells().map((cell) => round(cell.getBoundingClientRect())),
    panel: () => round(notebook().getBoundingClientRect()),
  };
})();
