// Runs a shader with textures on the browser's own WebGPU. runTextured returns the words of its last
// binding, a buffer; an exception says what went wrong.
const opened = (async () => {
  const adapter = await navigator.gpu.requestAdapter();
  return adapter.requestDevice({ requiredFeatures: ['bgra8unorm-storage'].filter((f) => adapter.features.has(f)) });
})();

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

globalThis.runTextured = async ({ code, workgroups, words, texture, sampler, points, storage }) => {
  const device = await opened;
  device.pushErrorScope('validation');
  const usage = GPUTextureUsage.COPY_DST | GPUTextureUsage.TEXTURE_BINDING | (storage ? GPUTextureUsage.STORAGE_BINDING : 0);
  const image = device.createTexture({
    size: texture.size, format: texture.format, dimension: texture.dimension, mipLevelCount: texture.levels, usage,
  });
  let from = 0;
  const data = bytesOf(texture.data);
  for (let mipLevel = 0; mipLevel < texture.levels; mipLevel++) {
    const [w, h, d] = texture.size;
    const size = [Math.max(w >> mipLevel, 1), Math.max(h >> mipLevel, 1), texture.dimension === '3d' ? Math.max(d >> mipLevel, 1) : d];
    const row = size[0] * texture.bytes;
    device.queue.writeTexture({ texture: image, mipLevel }, data.subarray(from, from + row * size[1] * size[2]), { bytesPerRow: row, rowsPerImage: size[1] }, size);
    from += row * size[1] * size[2];
  }
  const buffer = (size, flags) => device.createBuffer({ size, usage: flags });
  const given = bytesOf(points);
  const read = buffer(given.length, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
  device.queue.writeBuffer(read, 0, given);
  const out = buffer(words * 4, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
  const back = buffer(words * 4, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  const resources = [image.createView({ dimension: texture.view }), device.createSampler(sampler), { buffer: read }, { buffer: out }];
  const module = device.createShaderModule({ code });
  const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
  for (const [i, entryPoint] of [...code.matchAll(/fn (main\d?)\(/g)].map((m) => m[1]).entries()) {
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint } });
    const used = [...code.split('@compute')[i + 1].matchAll(/\b(t|s|p|out|stored)\b/g)].map((m) => ['t', 's', 'p', 'out', 'stored'].indexOf(m[1]));
    const entries = [...new Set(used)].map((binding) => ({ binding, resource: resources[binding % 4] }));
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(...workgroups);
  }
  pass.end();
  encoder.copyBufferToBuffer(out, 0, back, 0, words * 4);
  device.queue.submit([encoder.finish()]);
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  await back.mapAsync(GPUMapMode.READ);
  const result = [...new Uint32Array(back.getMappedRange())];
  for (const one of [image, read, out, back]) one.destroy();
  return result;
};
