// The file system in memory of the page's Go programs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

const Files = vm.runInThisContext(readFileSync(new URL('../assets/files.js', import.meta.url), 'utf8') + '\nFiles');

// called calls one of fs's functions and returns its result.
const called = (files, name, ...given) => new Promise((resolve, reject) => {
  files[name](...given, (error, result) => (error ? reject(error) : resolve(result)));
});

const text = (written) => new TextEncoder().encode(written);

const create = async (files, path, flags, written) => {
  const { O_CREAT, O_WRONLY } = files.constants;
  const descriptor = await called(files, 'open', path, O_CREAT | O_WRONLY | flags, 0o644);
  const bytes = text(written);
  assert.equal(await called(files, 'write', descriptor, bytes, 0, bytes.length, null), bytes.length);
  await called(files, 'close', descriptor);
};

const read = async (files, path) => {
  const descriptor = await called(files, 'open', path, 0, 0);
  const buffer = new Uint8Array(100);
  const n = await called(files, 'read', descriptor, buffer, 0, buffer.length, null);
  assert.equal(await called(files, 'read', descriptor, buffer, n, 10, null), 0, 'the end');
  return new TextDecoder().decode(buffer.subarray(0, n));
};

test('paths are resolved', () => {
  for (const [path, want] of [['work/a', '/work/a'], ['/work/./b//c', '/work/b/c'], ['/work/../tmp/', '/tmp'], ['/../..', '/']]) {
    assert.equal(Files.resolve(path), want);
  }
});

test('a file keeps what is written, appended and cut', async () => {
  const files = new Files();
  const { O_APPEND, O_TRUNC } = files.constants;
  await create(files, '/work/a', 0, 'one');
  await create(files, '/work/a', O_APPEND, ' two');
  assert.equal(await read(files, 'work/a'), 'one two');
  assert.equal((await called(files, 'stat', '/work/a')).size, 7);
  await create(files, '/work/a', 0, 'ONE');
  assert.equal(await read(files, '/work/a'), 'ONE two', 'the rest stays');
  await create(files, '/work/a', O_TRUNC, '1');
  assert.equal(await read(files, '/work/a'), '1');
  await called(files, 'rename', '/work/a', '/tmp/b');
  assert.equal(await read(files, '/tmp/b'), '1');
  assert.deepEqual(await called(files, 'readdir', '/work'), []);
  assert.deepEqual(await called(files, 'readdir', '/tmp'), ['b']);
});

test('errors have the codes that Go understands', async () => {
  const files = new Files();
  const { O_CREAT, O_EXCL } = files.constants;
  await create(files, '/work/a', 0, '');
  for (const [code, ...call] of [
    ['ENOENT', 'open', '/work/none', 0, 0], ['ENOENT', 'open', '/none/a', O_CREAT, 0], ['EEXIST', 'open', '/work/a', O_CREAT | O_EXCL, 0],
    ['ENOENT', 'stat', '/none'], ['ENOENT', 'unlink', '/none'], ['EBADF', 'close', 99], ['ENOTDIR', 'readdir', '/work/a'],
    ['EEXIST', 'mkdir', '/work'], ['EISDIR', 'rename', '/work', '/tmp/w'],
  ]) {
    await assert.rejects(called(files, ...call), { code }, call.join(' '));
  }
});

test('takeChanged tells each change in work/ once', async () => {
  const files = new Files();
  files.put('/work/known', 'x');
  assert.deepEqual(files.takeChanged(), {}, 'what the page has put is no news');
  await create(files, '/work/new', 0, 'y');
  await create(files, '/tmp/other', 0, 'z');
  assert.deepEqual(files.takeChanged(), { 'work/new': 'y' });
  assert.deepEqual(files.takeChanged(), {});
  await called(files, 'unlink', '/work/known');
  assert.deepEqual(files.takeChanged(), { 'work/known': null });
});

test('programs print to the page', async () => {
  const printed = [];
  const files = new Files((descriptor, bytes) => printed.push([descriptor, new TextDecoder().decode(bytes)]));
  await called(files, 'write', 1, text('out'), 0, 3, null);
  files.writeSync(2, text('err'));
  assert.deepEqual(printed, [[1, 'out'], [2, 'err']]);
});
