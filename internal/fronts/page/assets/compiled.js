// The site's Go program, compiled once for all workers that run it.

// The file itself is compressed, because not every server compresses. Its name has an unknown extension, because some
// servers tell browsers to unpack files that end in .gz.
const compile = async () => {
  const response = await fetch(new URL('judge.wasmgz', import.meta.url));
  if (!response.ok) throw new Error(`judge.wasmgz: ${response.status} ${response.statusText}`);
  const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } }));
};

let compiling = null;

// compiled returns a promise of the program, which can be sent to a worker. After a failure, the next call tries again.
export const compiled = () => {
  compiling ??= compile();
  compiling.catch(() => { compiling = null; });
  return compiling;
};
