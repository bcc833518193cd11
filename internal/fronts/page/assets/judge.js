// The judge is Go in Web Workers. Two workers run the same program: one answers during typing, the other runs checks. So
// typing never waits for a check, and stopping a check affects nothing else.

import { compiled } from './compiled.js';

// address is the script of a worker, in the same folder as this one.
const address = new URL('worker.js', import.meta.url);

// PATIENCE is how many milliseconds a learner's program may work between two calls.
const PATIENCE = 10_000;

// An Endless says that a learner's program was stopped. line is that of its last call, or 0.
export class Endless extends Error {
  constructor(line) {
    super(`your program made no call for ${PATIENCE / 1000} seconds, so it was stopped`);
    this.line = line;
  }
}

class Judge {
  #worker = null;
  #last = 0;
  #asked = new Map(); // pending requests, by id
  #endless = 0;       // the timer for a program of the learner
  #files = {};        // the files of work/ that the worker has

  // start starts the worker, unless it is running.
  start() {
    if (this.#worker) return;
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => { if (worker === this.#worker) this.#take(data); };
    worker.onerror = (event) => { if (worker === this.#worker) this.stop(event.message || 'the browser could not load the judge'); };
    this.#worker = worker;
    compiled().then((program) => worker.postMessage({ program }), (error) => { if (worker === this.#worker) this.stop(error.message); });
  }

  #take(data) {
    if (data.gone !== undefined) return this.stop('the judge ended: ' + data.gone);
    if (data.host !== undefined) return this.#watch(data);
    const asked = this.#asked.get(data.id);
    if (!asked) return;
    if (data.display !== undefined) return asked.display?.(data.display);
    this.#asked.delete(data.id);
    if (data.error !== undefined) asked.reject(new Error(data.error));
    else asked.resolve(data);
  }

  // #watch stops a program that makes no call for a while.
  #watch({ host, line }) {
    clearTimeout(this.#endless);
    if (host === 'program') this.#endless = setTimeout(() => this.stop(new Endless(line)), PATIENCE);
  }

  // busy reports whether a request is pending.
  get busy() { return this.#asked.size > 0; }

  // ask sends a request to the worker. display receives what the worker shows before its answer.
  ask(request, display) {
    this.start();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject, display });
      this.#worker.postMessage({ id, ...request });
    });
  }

  // tellFiles sends the worker the shaders that changed since the last call.
  tellFiles(files) {
    const news = {};
    for (const [file, text] of Object.entries(files)) {
      if (this.#files[file] !== text) news[file] = text;
    }
    if (Object.keys(news).length === 0) return;
    this.start();
    Object.assign(this.#files, news);
    this.ask({ do: 'files', files: news }).catch(() => { /* stopped: the next worker gets them all */ });
  }

  // stop ends the worker and fails the pending requests with a reason. The next request starts a new worker.
  stop(why) {
    clearTimeout(this.#endless);
    this.#worker?.terminate();
    this.#worker = null;
    this.#files = {}; // the next one has none yet
    for (const { reject } of this.#asked.values()) reject(why instanceof Error ? why : new Error(why));
    this.#asked.clear();
  }
}

export const writer = new Judge();  // answers during typing
export const checker = new Judge(); // runs shaders
