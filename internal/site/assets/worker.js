// The judge's Web Worker: it starts judge.wasmgz, which is Go, and passes messages
// between it and the page. internal/site/worker says what they are. Beyond those:
//
//   {ready: true}                    is told first
//   {id, do: 'files', files: {…}}    gives the folder files: their text by path, work/add.wgsl
//   {id, ok, …, files: {…}}          an answer, and the files of work/ that changed: their
//                                    text by path, null for one that is gone
//   {gone: words}                    is told last, when the judge has ended by itself
//
// To stop what is under way, the page ends the worker and starts another.
'use strict';

importScripts('wasm_exec.js', 'files.js');

const errors = []; // the last lines of the program's standard error
const files = new Files((descriptor, bytes) => {
  const text = new TextDecoder().decode(bytes);
  if (descriptor === 2) errors.push(text);
  errors.splice(0, errors.length - 20);
});
globalThis.fs = files;
globalThis.process = {
  pid: 1, ppid: 0, cwd: () => '/', chdir: () => {}, umask: () => 0o022,
  getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
};
globalThis.path = { resolve: (...parts) => Files.resolve(parts.join('/')) };

const waiting = new Set(); // the ids of what is under way

// The program calls this when it has begun, with the function that answers requests.
const begun = new Promise((resolve) => { globalThis.wgslabAnswers = resolve; });

// start fetches and runs the program. The file is compressed by itself, and has no
// name that a server knows: not every one compresses, and some tell browsers to unpack
// what ends in .gz.
async function start() {
  const response = await fetch('judge.wasmgz');
  if (!response.ok) throw new Error(`judge.wasmgz: ${response.status} ${response.statusText}`);
  const unpacked = new Response(response.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': 'application/wasm' } });
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(unpacked, go.importObject);
  go.run(instance).then(() => gone(errors.join('')), (error) => gone(String(error)));
}

// gone tells whoever waits that no answer will come.
function gone(words) {
  for (const id of waiting) postMessage({ id, error: 'the judge has ended: ' + words });
  postMessage({ gone: words });
  close();
}

async function handle({ id, ...request }) {
  if (request.do === 'files') {
    for (const [path, text] of Object.entries(request.files)) files.put(path, text);
    postMessage({ id, ok: true });
    return;
  }
  waiting.add(id);
  const answer = await begun;
  answer(JSON.stringify(request), (view) => postMessage({ id, display: JSON.parse(view) }), (reply) => {
    waiting.delete(id);
    const told = JSON.parse(reply);
    if (told.error !== undefined) {
      postMessage({ id, error: told.error });
      return;
    }
    const changed = files.takeChanged();
    postMessage({ id, ok: true, ...told, ...(Object.keys(changed).length > 0 && { files: changed }) });
  });
}

onmessage = ({ data }) => handle(data);
begun.then(() => postMessage({ ready: true }));
start().catch((error) => gone(String(error)));
