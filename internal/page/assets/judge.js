// The judge is Go in Web Workers. Two of them run the same program: one answers while somebody types, the other checks,
// so that typing never waits for a check and a check that is stopped takes nothing along.

import { compiled } from './compiled.js';

// address is the script of a worker, beside this one.
const address = new URL('worker.js', import.meta.url);

class Judge {
  #worker = null;
  #last = 0;
  #asked = new Map(); // what waits for an answer, by its id
  #files = {};        // what the worker knows of work/

  // start starts the worker, unless it runs.
  start() {
    if (this.#worker) return;
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => { if (worker === this.#worker) this.#take(data); };
    worker.onerror = (event) => { if (worker === this.#worker) this.stop(event.message || 'the judge could not be loaded'); };
    this.#worker = worker;
    this.#files = {};
    compiled().then((program) => worker.postMessage({ program }), (error) => { if (worker === this.#worker) this.stop(error.message); });
  }

  #take(data) {
    if (data.gone !== undefined) return this.stop('the judge has ended: ' + data.gone);
    const asked = this.#asked.get(data.id);
    if (!asked) return;
    if (data.display !== undefined) return asked.display?.(data.display);
    this.#asked.delete(data.id);
    if (data.error !== undefined) asked.reject(new Error(data.error));
    else asked.resolve(data);
  }

  // busy says whether somebody waits for an answer.
  get busy() { return this.#asked.size > 0; }

  // ask asks the worker for something. What is displayed on the way to the answer goes to display.
  ask(request, display) {
    this.start();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject, display });
      this.#worker.postMessage({ id, ...request });
    });
  }

  // tellFiles gives the worker the shaders that changed since it was last told.
  tellFiles(files) {
    const news = {};
    for (const [file, text] of Object.entries(files)) {
      if (this.#files[file] !== text) news[file] = text;
    }
    if (Object.keys(news).length === 0) return;
    this.start();
    Object.assign(this.#files, news);
    this.ask({ do: 'files', files: news });
  }

  // stop ends the worker; whoever waits is told why. The next question starts another.
  stop(why) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#asked.values()) reject(new Error(why));
    this.#asked.clear();
  }
}

export const writer = new Judge();  // answers while somebody types
export const checker = new Judge(); // runs shaders
