// The programs of the table of differences in notebooks/webgpu.md, in JavaScript. differences runs them on a navigator.gpu
// and returns what became of each, by its name. full says whether to fill the memory.
const differences = async (gpu, full) => {
  const double = '@group(0) @binding(0) var<storage, read_write> x: array<u32>; @compute @workgroup_size(1) fn main() { x[0] = 2u * x[0]; }';
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST, readback = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
  const adapter = await gpu.requestAdapter(), another = async () => (await gpu.requestAdapter()).requestDevice();
  const device = await adapter.requestDevice({ requiredFeatures: adapter.features.has('timestamp-query') ? ['timestamp-query'] : [] });
  const buffer = (size, usage) => device.createBuffer({ size, usage });
  const mapped = async () => { const made = buffer(16, readback); await made.mapAsync(GPUMapMode.READ); return made; };
  const pipeline = (code) => device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code }) } });
  const group = (entry) => device.createBindGroup({ layout: pipeline(double).getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: buffer(16, storage), ...entry } }] });
  const submit = (...all) => device.queue.submit(all);
  const passing = (calls) => { const encoder = device.createCommandEncoder(); calls(encoder.beginComputePass(), encoder); encoder.finish(); };
  const programs = {
    "`CreateBuffer` with usages that don't go together": () => { buffer(16, GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE); },
    '`nil` in place of a buffer': () => device.createCommandEncoder().copyBufferToBuffer(null, 0, buffer(16, storage), 0, 16),
    'An entry without `Size`': () => { group({}); },
    'An entry of 15 bytes': () => { group({ size: 15 }); },
    '`GetBindGroupLayout(9)`': () => { pipeline(double).getBindGroupLayout(9); },
    'An `override` in a shader': () => { pipeline('override n: u32 = 2; ' + double); },
    '20,000 bytes of workgroup memory': () => { pipeline('var<workgroup> w: array<u32, 5000>; @compute @workgroup_size(1) fn main() { w[0] = 1u; }'); },
    'A dispatch without a pipeline': () => passing((pass) => { pass.dispatchWorkgroups(1); pass.end(); }),
    'A copy while a pass is open': () => passing((pass, encoder) => { encoder.copyBufferToBuffer(buffer(16, storage), 0, buffer(16, storage), 0, 16); pass.end(); }),
    '`Finish` while a pass is open': () => passing(() => {}),
    '`End` twice': () => passing((pass) => { pass.end(); pass.end(); }),
    '`ClearBuffer` of 0 bytes': () => { const encoder = device.createCommandEncoder(); encoder.clearBuffer(buffer(16, storage), 0, 0); encoder.finish(); },
    'A command buffer submitted twice': () => { const commands = device.createCommandEncoder().finish(); submit(commands); submit(commands); },
    'A mapped buffer in a submission': async () => { const encoder = device.createCommandEncoder(); encoder.copyBufferToBuffer(buffer(16, storage), 0, await mapped(), 0, 16); submit(encoder.finish()); },
    '`WriteBuffer` to a mapped buffer': async () => device.queue.writeBuffer(await mapped(), 0, new Uint8Array(16)),
    '`GetMappedRange` before the buffer is mapped': () => { buffer(16, readback).getMappedRange(); },
    'Two ranges with the same bytes': async () => { const made = await mapped(); made.getMappedRange(); made.getMappedRange(8, 8); },
    '`WriteBuffer` after `Release`': () => { const made = buffer(16, storage); made.destroy(); device.queue.writeBuffer(made, 0, new Uint8Array(16)); },
    '`Release` twice': () => { const made = buffer(16, storage); made.destroy(); made.destroy(); },
    'The bytes of a range after `Unmap`': async () => { const made = await mapped(), range = made.getMappedRange(); made.unmap(); return range.byteLength === 0 ? 'are gone' : 'are there'; },
    'A buffer for which there is no memory': async () => {
      for (let i = 0; full && i < 2 ** 12; i++) {
        device.pushErrorScope('out-of-memory'); buffer(256 * 2 ** 20, storage);
        const error = await device.popErrorScope();
        if (error) return `a \`${error.constructor.name}\``;
      }
    },
    '`DeviceLostCallback`': async () => { const other = await another(); other.destroy(); return (await other.lost).reason === 'destroyed' ? 'is called' : 'says something else'; },
    'A second device from one adapter': () => adapter.requestDevice().then(() => {}),
    'Constants of a pipeline': () => { device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code: 'override n: u32 = 2; ' + double }), constants: { n: 3 } } }); },
    'Error scopes': async () => { // the device hears only of what no scope caught
      const other = await another(), heard = [];
      const done = new Promise((resolve) => { other.onuncapturederror = ({ error }) => { heard.push(error); resolve(); }; });
      for (const filter of ['out-of-memory', 'validation']) other.pushErrorScope(filter);
      for (const size of [1, 2]) other.createBuffer({ size, usage: 0 });
      const all = [await other.popErrorScope(), await other.popErrorScope()];
      other.createBuffer({ size: 3, usage: 0 });
      await other.queue.onSubmittedWorkDone(); // Chromium tells of the error no sooner
      await done;
      other.destroy();
      await other.lost;
      other.createBuffer({ size: 4, usage: 0 });
      other.pushErrorScope('validation');
      all.push(await other.popErrorScope(), ...heard);
      const said = all.map((error) => error && error.constructor.name).join();
      return said === 'GPUValidationError,,,GPUValidationError' ? undefined : said;
    },
    '`TimestampWrites` of a pass': () => {
      const timestampWrites = { querySet: device.createQuerySet({ type: 'timestamp', count: 2 }), beginningOfPassWriteIndex: 0 };
      device.createCommandEncoder().beginComputePass({ timestampWrites }).end();
    },
    '`FeatureNameSubgroups`': () => adapter.features.has('subgroups') ? undefined : 'the adapter has none',
  };
  const all = {};
  for (const [name, program] of Object.entries(programs)) {
    device.pushErrorScope('validation');
    try { all[name] = await program(); } catch (error) { all[name] = `throws \`${error.name}\``; }
    const caught = await device.popErrorScope();
    all[name] ??= caught ? `a \`${caught.constructor.name}\`` : 'works';
  }
  device.destroy();
  return all;
};
