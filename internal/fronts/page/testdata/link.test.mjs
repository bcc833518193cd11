// The links that hold a shader, or all of a bench.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { TooLong, benchHash, benchIn, pack, unpack } from '../assets/link.js';

const bench = {
  source: '// ü, 🙂 and <b>\n@compute @workgroup_size(64) fn main() {}\n'.repeat(20),
  binds: [['0.0', 'f32[64]'], ['1.3', 'u32:3,1,2']], passes: [['main', '2,2'], ['add', '1']], overrides: [['SIZE', '16']],
  from: 'vector-add, n = 65, seed 7', notes: '',
  step: { case: 'main', moment: 57, invocation: 3, breakpoints: [{ line: 2, condition: 'i == 3u' }] },
};

test('a link holds all of a bench', async () => {
  const hash = await benchHash(bench);
  assert.match(hash, /^#try=a[\w-]+$/);
  assert.ok(hash.length < 400, `${hash.length} characters for repeated text`);
  assert.deepEqual(await benchIn(hash), bench);
  const without = Object.fromEntries(Object.entries(bench).filter(([key]) => key !== 'step'));
  assert.deepEqual(await benchIn(await benchHash(without)), without);
  assert.equal(await benchIn('#add=AAAA'), null);
  assert.equal(await benchIn(''), null);
});

test('a browser without compression writes links that others read', async () => {
  const kept = globalThis.CompressionStream;
  delete globalThis.CompressionStream;
  const hash = await benchHash(bench).finally(() => { globalThis.CompressionStream = kept; });
  assert.match(hash, /^#try=b[\w-]+$/);
  assert.deepEqual(await benchIn(hash), bench);
});

test('a damaged link is refused', async () => {
  const whole = await benchHash(bench);
  for (const hash of ['#try=', '#try=a', '#try=a!!', '#try=aAAAA', '#try=c' + whole.slice(6), whole.slice(0, -9), '#try=b' + btoa('{"source":1}'), '#try=b' + btoa('null')]) {
    await assert.rejects(benchIn(hash), undefined, hash);
  }
  for (const wrong of [{ source: 1 }, { binds: [['0.0']] }, { passes: 'main' }, { step: { moment: '57' } }, { step: { ...bench.step, breakpoints: [null] } }]) {
    await assert.rejects(benchHash({ ...bench, ...wrong }).then(benchIn), undefined, JSON.stringify(wrong));
  }
});

test('a link has a limit in both directions', async () => {
  await assert.rejects(benchHash({ ...bench, source: randomBytes(60_000).toString('base64') }), TooLong);
  await assert.rejects(benchIn('#try=a' + 'A'.repeat(40_000)), TooLong);
  const bomb = await pack('a'.repeat(10_000_000));
  assert.ok(bomb.length < 32_768);
  await assert.rejects(unpack(bomb), TooLong);
});
