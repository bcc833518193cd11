// The worker that checks, without a browser.
import assert from 'node:assert/strict';
import test from 'node:test';

globalThis.fetch = () => new Promise(() => {}); // the program never arrives
const workers = [];
globalThis.Worker = class {
  said = [];
  constructor() { workers.push(this); }
  postMessage(message) { this.said.push(message); }
  terminate() {}
};
const { checker, Endless } = await import('../assets/judge.js');

test('a worker that follows a stopped one gets all files before it is asked', async () => {
  const files = { 'work/vector-add.wgsl': 'fn main() {}' };
  const check = () => {
    checker.tellFiles(files);
    return checker.ask({ do: 'check' });
  };
  const stops = [
    () => checker.stop(new Endless(3)), () => checker.stop('stopped'),
    () => workers.at(-1).onmessage({ data: { gone: 'out of memory' } }), () => workers.at(-1).onerror({ message: '' }),
  ];
  for (const stop of stops) {
    const asked = check();
    assert.deepEqual(workers.at(-1).said.map((message) => message.do), ['files', 'check']);
    assert.deepEqual(workers.at(-1).said[0].files, files);
    stop();
    await assert.rejects(asked);
  }
});
