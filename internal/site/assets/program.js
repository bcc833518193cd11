// The Go of the site in a Web Worker: judge.wasmgz is one program for the judge and for
// the notebooks' cells.
'use strict';

importScripts('wasm_exec.js', 'files.js');

// run runs the program with arguments over a folder of files, and gives its exit code. The
// file is compressed by itself, and has no name that a server knows: not every one
// compresses, and some tell browsers to unpack what ends in .gz.
async function run(files, ...words) {
  globalThis.fs = files;
  globalThis.process = {
    pid: 1, ppid: 0, cwd: () => '/', chdir: () => {}, umask: () => 0o022,
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
  };
  globalThis.path = { resolve: (...parts) => Files.resolve(parts.join('/')) };
  const response = await fetch('judge.wasmgz');
  if (!response.ok) throw new Error(`judge.wasmgz: ${response.status} ${response.statusText}`);
  const unpacked = new Response(response.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': 'application/wasm' } });
  const go = new Go();
  let code = 0;
  go.argv = ['wgslab', ...words];
  go.exit = (last) => { code = last; };
  const { instance } = await WebAssembly.instantiateStreaming(unpacked, go.importObject);
  await go.run(instance);
  return code;
}
