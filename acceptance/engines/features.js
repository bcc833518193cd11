// Runs a shader that needs an optional feature of WGSL on the browser's own WebGPU. runFeature returns
// whether the browser says that it has the feature, what its compiler says against the shader,
// whether the device can run it, and the words of binding 0 if so.
const opening = (async () => {
  const adapter = await navigator.gpu.requestAdapter();
  const wanted = ['shader-f16', 'subgroups', 'subgroup-size-control', 'texture-formats-tier1', 'texture-formats-tier2', 'clip-distances', 'dual-source-blending', 'primitive-index'];
  return adapter.requestDevice({ requiredFeatures: wanted.filter((f) => adapter.features.has(f)) });
})();

const bytesOf = (text) => Uint8Array.from(atob(text ?? ''), (c) => c.charCodeAt(0));

globalThis.runFeature = async ({ feature, code, workgroups, binds }) => {
  const device = await opening;
  const named = { f16: 'shader-f16' }[feature] ?? feature.replaceAll('_', '-');
  const has = navigator.gpu.wgslLanguageFeatures.has(feature) || device.features.has(named);
  const runs = binds.length > 0 && (feature !== 'texture_formats_tier1' || device.features.has(named)); // the device needs the formats as well
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  const said = (await module.getCompilationInfo()).messages.filter((m) => m.type === 'error').map((m) => m.message);
  if (said.length || !runs) {
    await device.popErrorScope();
    return { has, said, runs, words: [] };
  }
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
  const entries = [];
  let out, size;
  pass.setPipeline(pipeline);
  for (const b of binds) {
    const data = bytesOf(b.data);
    if (b.kind === 'immediate') {
      pass.setImmediates(0, data);
    } else if (b.kind === 'texture' || b.kind === 'storage texture') {
      const usage = b.kind === 'texture' ? GPUTextureUsage.TEXTURE_BINDING : GPUTextureUsage.STORAGE_BINDING;
      entries.push({ binding: b.binding, resource: device.createTexture({ size: b.size, format: b.format, usage }).createView() });
    } else {
      const usage = (b.kind === 'uniform' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE) | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
      const buffer = device.createBuffer({ size: data.length, usage });
      device.queue.writeBuffer(buffer, 0, data);
      entries.push({ binding: b.binding, resource: { buffer } });
      if (b.binding === 0) [out, size] = [buffer, data.length];
    }
  }
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(...workgroups);
  pass.end();
  const back = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  encoder.copyBufferToBuffer(out, 0, back, 0, size);
  device.queue.submit([encoder.finish()]);
  const error = await device.popErrorScope();
  if (error) return { has, said: [error.message], runs, words: [] };
  await back.mapAsync(GPUMapMode.READ);
  return { has, said: [], runs, words: [...new Uint32Array(back.getMappedRange())] };
};
