// The Go of the site, compiled once for all workers that run it.

// The file is compressed by itself, and has no name that a server knows: not every one compresses, and some tell browsers to
// unpack what ends in .gz.
const compile = async () => {
  const response = await fetch(new URL('judge.wasmgz', import.meta.url));
  if (!response.ok) throw new Error(`judge.wasmgz: ${response.status} ${response.statusText}`);
  const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } }));
};

let compiling = null;

// compiled promises the program, to be sent to a worker. What failed is tried again when it is wanted again.
export const compiled = () => {
  compiling ??= compile();
  compiling.catch(() => { compiling = null; });
  return compiling;
};
