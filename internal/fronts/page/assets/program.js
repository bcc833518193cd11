// The site's Go program in a Web Worker. One program contains the judge and the notebooks'
// cells. The page compiles it once and sends it to each worker.
'use strict';

importScripts('wasm_exec.js', 'files.js');

// run runs the program with arguments and a folder of files, and returns its exit code.
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
