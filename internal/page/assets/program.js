// The Go of the site in a Web Worker: one program for the judge and for the notebooks'
// cells. The page has compiled it and hands it over, once for all workers.
'use strict';

importScripts('wasm_exec.js', 'files.js');

// run runs the program with arguments over a folder of files, and gives its exit code.
async function run(program, files, ...words) {
  globalThis.fs = files;
  globalThis.process = {
    pid: 1, ppid: 0, cwd: () => '/', chdir: () => {}, umask: () => 0o022,
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
  };
  globalThis.path = { resolve: (...parts) => Files.resolve(parts.join('/')) };
  const go = new Go();
  let code = 0;
  go.argv = ['wgslab', ...words];
  go.exit = (last) => { code = last; };
  await go.run(await WebAssembly.instantiate(program, go.importObject));
  return code;
}
