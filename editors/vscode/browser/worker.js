// Runs the language server. The first message has its bytes; the server hears the others and posts its answers itself.

import 'go/wasm_exec.js'; // Go's own, which knows how to start such a program

globalThis.onmessage = async ({ data }) => {
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(data, go.importObject);
  go.run(instance);
};
