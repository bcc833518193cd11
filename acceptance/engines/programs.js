// Runs random host programs (pkg/wgpu/testdata/random) on the browser's own WebGPU. runProgram returns what that program
// prints: 'ok' with a hash of the bytes that the host read, or 'error' with the first one.
const open = async (requiredLimits) => (await navigator.gpu.requestAdapter()).requestDevice({ requiredLimits });
const opened = open({});

const words = (bytes, from) => {
  const all = new Uint32Array(Math.ceil(bytes / 4)).map((_, i) => i * 7 + from * 1000 + 3);
  return new Uint8Array(all.buffer, 0, bytes);
};

const hashed = (bytes) => { // FNV-1a, 64 bits
  let sum = 0xcbf29ce484222325n;
  for (const byte of bytes) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  return sum.toString(16).padStart(16, '0');
};

const types = [undefined, 'uniform', 'storage', 'read-only-storage'];

globalThis.runProgram = async (program) => {
  if (!program.Limits) return runOn(await opened, program);
  try {
    const device = await open(program.Limits), said = await runOn(device, program);
    device.destroy();
    return said;
  } catch (error) {
    return `error device: ${error.message}`;
  }
};

const runOn = async (device, { Buffers, Pipelines, Groups, Ops }) => {
  const { queue } = device;
  let doing = '', buffers = [];
  const run = async () => {
    buffers = Buffers.map(([size, usage, mapped], i) => {
      doing = `buffer ${i}`;
      const buffer = device.createBuffer({ size, usage, mappedAtCreation: mapped });
      if (mapped) {
        new Uint8Array(buffer.getMappedRange()).set(words(size, i));
        buffer.unmap();
      }
      return buffer;
    });
    const layouts = [], pipelines = Pipelines.map(([code, groups, entryPoint, explicit], i) => {
      doing = `pipeline ${i}`;
      const group = (entries) => device.createBindGroupLayout({ entries: entries.map(([binding, kind, least, visibility]) => ({
        binding, visibility, buffer: { type: types[kind], minBindingSize: least },
      })) });
      const made = explicit?.map(group);
      const pipeline = device.createComputePipeline({
        layout: made ? device.createPipelineLayout({ bindGroupLayouts: made }) : 'auto', compute: { module: device.createShaderModule({ code }), entryPoint },
      });
      layouts.push(made ?? Array.from({ length: groups }, (_, number) => pipeline.getBindGroupLayout(number)));
      return pipeline;
    });
    const groups = (Groups ?? []).map(([pipeline, number, entries], i) => {
      doing = `group ${i}`;
      return device.createBindGroup({ layout: layouts[pipeline][number], entries: entries.map(([binding, buffer, offset, size]) => ({ binding, resource: { buffer: buffers[buffer], offset, size } })) });
    });
    let encoder, pass, command, used;
    const mappings = [], result = [];
    const calls = {
      write: (a, b, x, y, n) => queue.writeBuffer(buffers[a], x, words(n, a)),
      counts: (a) => queue.writeBuffer(buffers[a], 0, new Uint32Array([2, 3, 1, 1, 2, 1])),
      encoder: () => { encoder = device.createCommandEncoder(); },
      copy: (a, b, x, y, n) => {
        used = buffers[b];
        encoder.copyBufferToBuffer(buffers[a], x, buffers[b], y, n);
      },
      clear: (a, b, x, y, n) => {
        used = buffers[a];
        encoder.clearBuffer(buffers[a], x, n);
      },
      finish: () => { command = encoder.finish(); },
      submit: () => queue.submit([command]),
      begin: () => { pass = encoder.beginComputePass(); },
      pipeline: (a) => pass.setPipeline(pipelines[a]),
      group: (a, b) => {
        used = buffers[Groups[b][2][0][1]];
        pass.setBindGroup(a, groups[b]);
      },
      dispatch: (a, b, x, y, n) => pass.dispatchWorkgroups(x, y, n),
      indirect: (a, b, x) => pass.dispatchWorkgroupsIndirect(buffers[a], x),
      end: () => pass.end(),
      map: (a, b, x, y, n) => { mappings.push(buffers[a].mapAsync(b, x, n)); },
      wait: () => Promise.all(mappings),
      range: (a, b, x, y, n) => { result.push(...new Uint8Array(buffers[a].getMappedRange(x, n))); },
      unmap: (a) => buffers[a].unmap(),
      destroy: (a) => buffers[a].destroy(),
      destroyused: () => used.destroy(),
      mapused: () => { mappings.push(used.mapAsync(GPUMapMode.READ, 0, 8)); },
    };
    for (const [i, [kind, ...values]] of Ops.entries()) {
      doing = `${i} ${kind}`;
      await calls[kind](...values);
      await Promise.race([...mappings, null]); // hears of a mapping that failed, and of no other
    }
    return hashed(result);
  };
  for (const filter of ['validation', 'out-of-memory', 'internal']) device.pushErrorScope(filter);
  let thrown = null, hash = '';
  try { hash = await run(); } catch (error) { thrown = `${doing}: ${error.message}`; }
  const errors = [];
  for (let i = 0; i < 3; i++) errors.push(await device.popErrorScope());
  for (const buffer of buffers) buffer?.destroy();
  const error = errors.reverse().find(Boolean)?.message ?? thrown;
  return error ? `error ${error.replaceAll(/\s+/g, ' ')}` : `ok ${hash}`;
};
