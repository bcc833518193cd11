// The Go cells of a lesson. Each run is a program in its own worker, and its output appears below the cell.

import { element } from './words.js';
import { busy } from './busy.js';
import { compiled } from './compiled.js';

// address is the script of the workers, in the same folder as this one.
const address = new URL('cell.js', import.meta.url);

// showDisplay shows a display of a cell: HTML that our own programs generate and escape, or text.
export const showDisplay = (place, display) => {
  place.className = 'display';
  if (display['text/html'] !== undefined) place.innerHTML = display['text/html'];
  else place.replaceChildren(element('pre', { tabIndex: 0 }, display['text/plain'] ?? ''));
  for (const pre of place.querySelectorAll('pre')) pre.tabIndex = 0; // scrollable elements must work with the keyboard
};

// An Output shows the output of one run, below its cell.
class Output {
  #places = new Map(); // by their names
  #printed = null;     // the element that receives a stream's next text
  #frame = null;       // of the sheet to draw on

  constructor(root) {
    this.root = root;
    root.replaceChildren();
  }

  #add(made) {
    this.#printed = null;
    this.root.append(made);
    this.root.tabIndex = 0; // output wider than a phone must scroll with the keyboard
    return made;
  }

  display(display, name) {
    const place = this.#places.get(name) ?? this.#add(element('div'));
    if (name !== '') this.#places.set(name, place);
    showDisplay(place, display);
  }

  print(printed, stream) {
    if (this.#printed?.dataset.stream !== stream) {
      const pre = element('pre', { className: 'printed', tabIndex: 0 });
      pre.dataset.stream = stream;
      this.#printed = this.#add(pre);
    }
    this.#printed.append(printed);
  }

  // draw replaces the contents of a place with the drawing sheet, and connects it to its network.
  draw(network, port) {
    const { theme } = document.documentElement.dataset;
    const frame = element('iframe', { title: 'Draw a digit', className: 'sheet', src: 'draw.html' + (theme ? `?theme=${theme}` : '') });
    frame.onload = () => frame.contentWindow.postMessage({ wgslabNetwork: network }, location.origin, [port]);
    this.#frame = frame;
    this.#places.clear();
    this.root.replaceChildren(frame);
    const hear = ({ source, data }) => {
      if (!frame.isConnected) return removeEventListener('message', hear);
      if (source === frame.contentWindow && data?.wgslabHeight > 0) frame.style.height = data.wgslabHeight + 'px';
    };
    addEventListener('message', hear);
    new MutationObserver((_, observer) => {
      if (!frame.isConnected) return observer.disconnect();
      frame.contentWindow.postMessage({ wgslabTheme: document.documentElement.dataset.theme }, location.origin);
    }).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  // end removes what works only while the cell runs, and folds the stack trace of a panic.
  end() {
    this.#frame?.remove();
    if (this.#printed?.dataset.stream !== 'stderr') return;
    const [words, ...stack] = this.#printed.textContent.split(/\n(?=\ngoroutine )/);
    if (stack.length === 0) return;
    const { dataset } = this.#printed;
    this.#printed.textContent = words;
    const folded = element('pre', { className: 'printed', tabIndex: 0 }, stack.join('\n').trim());
    folded.dataset.stream = dataset.stream;
    this.#add(element('details', {}, element('summary', {}, 'Stack trace'), folded));
  }
}

// run runs a cell with the files of work/, and returns a promise of its exit code. It calls stop with a function that
// ends the run early.
const run = (cell, files, output, stoppable) => new Promise((resolve, reject) => {
  const worker = new Worker(address);
  const end = (settle, value) => {
    worker.terminate();
    output.end();
    settle(value);
  };
  stoppable(() => end(reject, new Error('stopped')));
  worker.onerror = ({ message }) => end(reject, new Error(message || 'the browser could not load the program'));
  worker.onmessage = ({ data, ports }) => {
    if (data.display) output.display(data.display, data.place);
    else if (data.printed !== undefined) output.print(data.printed, data.stream);
    else if (data.network) output.draw(data.network, ports[0]);
    else if (data.host) return; // gpu.js tells that the learner's program makes calls
    else if (data.failed !== undefined) end(reject, new Error(data.failed));
    else end(resolve, data.ended);
  };
  compiled().then((program) => worker.postMessage({ program, cell, files }), (error) => end(reject, error));
});

// setUpCell makes a cell runnable; sources returns the current files of work/.
export const setUpCell = (section, sources) => {
  const start = section.querySelector('.start');
  start.disabled = false;
  start.onclick = async () => {
    let stop = () => {};
    const code = await busy(section, () => 'Running…', () => 'Stopped.', () => stop(),
      () => run(section.dataset.cell, sources(), new Output(section.querySelector('.shown')), (how) => { stop = how; }));
    if (code > 0) section.querySelector('.doing').textContent = 'The cell ended with an error.';
  };
};
