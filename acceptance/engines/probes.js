// Asks a navigator.gpu what it answers to requests and pipelines. probes returns a list of [question, answer]: the name of
// an exception, 'valid' or 'invalid', or a value. The test compares the page's navigator.gpu with the browser's. has lists
// the features that the browser's adapter has: the simulator has more.
const probes = async (gpu, has) => {
  const answers = [];
  const ask = async (question, answer) => {
    let said;
    try { said = String(await answer()); } catch (error) { said = error.name; }
    answers.push([question, said]);
  };
  const request = async (descriptor) => (await gpu.requestAdapter()).requestDevice(descriptor);
  const valid = async (device, f) => {
    device.pushErrorScope('validation');
    const made = f();
    made?.catch?.(() => {}); // a promise that fails meanwhile is handled below
    return (await device.popErrorScope()) ? 'invalid' : made;
  };

  // Requests.
  const rare = ['shader-f16', 'subgroups'].filter((name) => has.includes(name));
  for (const descriptor of [
    undefined, {}, { requiredFeatures: [] }, { requiredFeatures: ['shader-f61'] }, { requiredFeatures: ['timestamp'] }, { requiredFeatures: [''] }, { requiredFeatures: 'shader-f16' },
    { requiredFeatures: rare }, { requiredFeatures: [...rare, ...rare] }, { requiredFeatures: ['core-features-and-limits'] },
    { requiredFeatures: ['shader-f61'], requiredLimits: { maxBindgroups: 1 } }, { requiredLimits: {} }, { requiredLimits: { maxBindgroups: 4 } }, { requiredLimits: { maxBindgroups: undefined } },
    { requiredLimits: { maxBindGroups: undefined } }, { requiredLimits: { maxBindGroups: 1e6 } }, { requiredLimits: { maxBindGroups: -1 } }, { requiredLimits: { maxBindGroups: 'four' } },
    { requiredLimits: { maxBindGroups: '4' } }, { requiredLimits: { maxBindGroups: 4.7 } }, { requiredLimits: { maxBindGroups: NaN } }, { requiredLimits: { maxBindGroups: 1 } }, { requiredLimits: null },
    { requiredLimits: 4 }, { requiredLimits: { maxTextureDimension2D: 8192 } }, { requiredLimits: { maxTextureDimension2D: 1e9 } }, { requiredLimits: { maxColorAttachments: 8, maxVertexBuffers: 8 } },
    { requiredLimits: { maxInterStageShaderComponents: 60 } }, { requiredLimits: { maxStorageBuffersInVertexStage: 8 } }, { requiredLimits: { minStorageBufferOffsetAlignment: 256 } },
    { requiredLimits: { minStorageBufferOffsetAlignment: 512 } }, { requiredLimits: { minStorageBufferOffsetAlignment: 300 } }, { requiredLimits: { minUniformBufferOffsetAlignment: 0 } },
    { requiredLimits: { minUniformBufferOffsetAlignment: 1 } }, { requiredLimits: { maxBufferSize: 1024 } }, { requiredLimits: { maxBufferSize: 2 ** 53 } },
  ]) {
    await ask(`requestDevice(${JSON.stringify(descriptor, (_, value) => value === undefined ? 'undefined' : Number.isNaN(value) ? 'NaN' : value)})`, async () => {
      const { features, limits } = await request(descriptor);
      return ['core-features-and-limits', 'shader-f16', 'subgroups', 'timestamp-query'].filter((name) => features.has(name)).join() + ' ' + ['maxBindGroups', 'maxBufferSize', 'minStorageBufferOffsetAlignment', 'maxTextureDimension2D'].map((name) => limits[name]).join();
    });
  }
  for (const options of [undefined, null, {}, { powerPreference: 'high-performance' }, { powerPreference: 'fast' }, { featureLevel: 'core' }, { featureLevel: 'new' }, 4]) {
    await ask(`requestAdapter(${JSON.stringify(options)})`, async () => (await gpu.requestAdapter(options)) === null ? 'none' : 'an adapter');
  }
  await ask('an adapter gives a second device', async () => {
    const adapter = await gpu.requestAdapter();
    await adapter.requestDevice();
    await adapter.requestDevice();
    return 'given';
  });
  await ask('a feature that the adapter lacks', async () => {
    const adapter = await gpu.requestAdapter();
    const lacked = ['texture-compression-astc', 'texture-compression-etc2', 'texture-compression-bc', 'indirect-first-instance', 'float32-blendable'].find((name) => !adapter.features.has(name));
    await adapter.requestDevice({ requiredFeatures: [lacked] });
    return 'given';
  });
  for (const [name, of] of [['adapter.info', async () => (await gpu.requestAdapter()).info], ['device.adapterInfo', async () => (await request()).adapterInfo]]) {
    await ask(name, async () => {
      const info = await of();
      return ['vendor', 'architecture', 'device', 'description', 'subgroupMinSize', 'subgroupMaxSize', 'isFallbackAdapter'].map((key) => typeof info[key]).join();
    });
  }
  await ask('wgslLanguageFeatures', () => ['readonly_and_readwrite_storage_textures', 'packed_4x8_integer_dot_product', 'unrestricted_pointer_parameters', 'pointer_composite_access', 'made_up'].map((name) => gpu.wgslLanguageFeatures.has(name)).join());
  await ask('limits', async () => {
    const { limits } = await request();
    return ['maxBindGroupsPlusVertexBuffers', 'maxSampledTexturesPerShaderStage', 'maxSamplersPerShaderStage', 'maxStorageTexturesPerShaderStage', 'maxTextureArrayLayers', 'maxInterStageShaderVariables', 'maxColorAttachmentBytesPerSample', 'maxVertexBufferArrayStride', 'maxComputeWorkgroupStorageSize'].map((name) => limits[name]).join();
  });

  // Extensions.
  for (const [required, code] of [[[], 'enable clip_distances;'], [[], 'enable f16;'], [['shader-f16'], 'enable f16;'], [[], 'enable subgroups;'], [['subgroups'], 'enable subgroups;'], [['shader-f16'], 'enable subgroups;'], [['shader-f16', 'subgroups'], 'enable f16, subgroups;']]) {
    if (!required.every((name) => has.includes(name))) continue;
    await ask(`${code} with ${required}`, async () => {
      const device = await request({ requiredFeatures: required });
      return valid(device, () => { device.createShaderModule({ code: `${code} @compute @workgroup_size(1) fn main() {}` }); return 'valid'; });
    });
  }

  // Pipelines.
  const code = `override n: u32 = 2;
@id(7) override scale: f32;
@id(9) override half: f32 = 1.5;
override on = true;
override shift = 0i;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(0) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> unused: f32;
@group(0) @binding(2) var<uniform> unused_as_well: vec4<f32>;
var<workgroup> a: array<f32, 64>;
var<workgroup> b: array<f32, 64>;
var<workgroup> c: array<f32, n * 1280>;
var<workgroup> big: array<f32, 4000>; // a browser takes seconds to compile a shader that uses it
@compute @workgroup_size(256) fn first() { a[0] = f32(x[0]); out[0] = a[0]; }
@compute @workgroup_size(256) fn second() { b[0] = y[0].x; out[0] = b[0]; }
@compute @workgroup_size(n) fn third(@builtin(local_invocation_index) i: u32) {
  out[i] = f32(n);
  if on { out[i] = scale + half + f32(shift); }
}
@compute @workgroup_size(1) fn light() { out[0] = 1.0; }
@compute @workgroup_size(256) fn sized() { c[0] = 1.0; out[0] = c[0]; }
@compute @workgroup_size(256) fn both() { a[0] = 1.0; b[0] = 1.0; big[0] = 1.0; out[0] = a[0]; }`;
  const device = await request(), module = device.createShaderModule({ code });
  let seed = 1;
  const draw = (from) => { // the same numbers everywhere
    seed = (seed * 48271) % 2147483647;
    return from[seed % from.length];
  };
  const numbers = [0, 1, 2, 3, 64, 256, 257, -1, 1.5, -0.9, 1e-40, 0.1, 16777217, 2147483647, 2147483648, -2147483648, -2147483649, 4294967295, 4294967296, 3.4e38, 3.5e38, 1e300, true, '5', null];
  const drawn = Array.from({ length: 150 }, () => {
    const constants = {};
    while (draw([true, true, false])) constants[draw(['n', '7', 'n', '7', '9', 'on', 'shift', '7', 'n', 'on', 'shift', 'scale', '7'])] = draw(numbers);
    return [draw(['third', 'third', 'light']), constants];
  });
  for (const [entryPoint, constants] of [
    ['first'], ['second'], ['third'], ['both'], ['fourth'], [''], [undefined], ['light', { n: 300 }], ['light', {}], ['light', null], ['light', 4], ['light', { m: 1 }], ['light', { shift: 3e9 }], ['light', { shift: -3.7 }],
    ['sized', { n: 1 }], ['sized', { n: 4 }], ['sized', { n: 0 }], ['third', { 7: 1 }], ['third', { on: 0 }], ['third', { 7: 1, n: 4 }], ['third', { 7: 1, n: 256 }], ['third', { 7: 1, n: 257 }], ['third', { 7: 1, n: 0 }],
    ['third', { 7: 1, n: '3' }], ['third', { 7: true, n: 3 }], ['third', { 7: null }], ['third', { 7: undefined }], ['third', { 7: NaN }], ['third', { 7: Infinity }], ['third', { 7: 'one' }], ['third', { scale: 1 }],
    ['third', { 7: 1, N: 1 }], ['third', { 7: 1, '07': 1 }], ['third', { 7: 1, n: 2.9 }], ['third', { 7: 3e38 }], ['third', { 7: 1e39 }], ['third', { 7: 0.1 }], ['third', { 9: 1 }], ['third', { 7: 1, half: 1 }],
    ['third', { 7: 1, shift: 2147483647 }], ['third', { 7: 1, shift: 2147483648 }], ['third', { 7: 1, shift: -2147483648 }], ['third', { 7: 1, shift: -2147483649 }], ['third', { 7: 1, n: -1 }],
    ['third', { 7: 1, n: 4294967296 }], ['third', { 7: 1, on: -0.1 }], ['third', { 7: 1, on: 0, shift: 9 }], ...drawn,
  ]) {
    await ask(`${entryPoint} with ${JSON.stringify(constants, (_, value) => value === undefined ? 'undefined' : Number.isFinite(value) ? value : typeof value === 'number' ? String(value) : value)}`, async () => {
      const pipeline = await valid(device, () => device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint, constants } }));
      if (pipeline === 'invalid' || entryPoint !== 'third') return pipeline === 'invalid' ? pipeline : 'valid';
      const out = device.createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC }), back = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
      const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 1, resource: { buffer: out } }] });
      const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(1);
      pass.end();
      encoder.copyBufferToBuffer(out, 0, back, 0, 16);
      device.queue.submit([encoder.finish()]);
      await back.mapAsync(GPUMapMode.READ);
      const values = [...new Float32Array(back.getMappedRange())].join();
      for (const buffer of [out, back]) buffer.destroy();
      return values;
    });
  }

  for (const [entryPoint, constants] of [['light'], ['light', { n: 1 }], ['light', { m: 1 }], ['third'], ['sized', { n: 4 }], ['first', null], ['fourth']]) {
    await ask(`async ${entryPoint} with ${JSON.stringify(constants)}`, () => valid(device, () => device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint, constants } }).then(() => 'valid')));
    await ask(`async ${entryPoint} rejects with`, () => device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint, constants } }).then(() => 'valid', (error) => `${error.name} ${error.reason}`));
  }

  // Layouts: [number of entries, type, stages] in groups.
  const { VERTEX, FRAGMENT, COMPUTE } = GPUShaderStage, storage = 'storage', reads = 'read-only-storage', uniform = 'uniform';
  for (const groups of [
    [[[5, reads, COMPUTE], [5, reads, FRAGMENT]]], [[[8, reads, FRAGMENT], [9, storage, COMPUTE]]], [[[4, reads, COMPUTE | FRAGMENT], [5, reads, FRAGMENT]]], [[[4, reads, COMPUTE | FRAGMENT], [4, reads, FRAGMENT], [4, reads, VERTEX]]],
    [[[9, reads, VERTEX]]], [[[1, storage, VERTEX]]], [[[13, uniform, FRAGMENT]]], [[[12, uniform, COMPUTE], [12, uniform, FRAGMENT]]], [[[5, storage, COMPUTE]], [[5, reads, COMPUTE]]], [[[5, storage, COMPUTE]], [[5, reads, FRAGMENT]]],
    [[[7, uniform, COMPUTE]], [[6, uniform, COMPUTE]]], [[], [], [], []], [[], [], [], [], []], [[[9, storage, 0]]], [[[20, uniform, 0]]],
  ]) {
    await ask(`a layout of ${JSON.stringify(groups)}`, () => valid(device, () => {
      device.createPipelineLayout({ bindGroupLayouts: groups.map((some) => device.createBindGroupLayout({
        entries: some.flatMap(([count, type, visibility]) => Array.from({ length: count }, () => ({ visibility, buffer: { type } }))).map((entry, binding) => ({ binding, ...entry })),
      })) });
      return 'valid';
    }));
  }
  return answers;
};
