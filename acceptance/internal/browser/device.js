// The browser's WebGPU for the Go driver: compile, run, read back.
globalThis.device = await (async () => {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error('this browser has no WebGPU adapter');
  // Request the adapter's maximum limits, as a Device of internal/machine/engine/gpu does.
  const requiredLimits = {};
  for (const name of [
    'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupSizeX', 'maxComputeWorkgroupSizeY',
    'maxComputeWorkgroupSizeZ', 'maxComputeWorkgroupStorageSize',
  ]) requiredLimits[name] = adapter.limits[name];
  const requiredFeatures = ['subgroups', 'shader-f16'].filter((name) => adapter.features.has(name));
  const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
  const programs = [];

  const decode = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const encode = (bytes) => {
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
  };
  // A WebGPU validation error becomes an error with its message.
  const checked = async (work) => {
    device.pushErrorScope('validation');
    const outcome = (async () => work())();
    await outcome.catch(() => {});
    const refusal = await device.popErrorScope();
    if (refusal) throw new Error(refusal.message);
    return outcome;
  };

  return {
    adapter: `${adapter.info.vendor} ${adapter.info.architecture}`,
    limits: {
      buffer_bytes: device.limits.maxBufferSize,
      storage_binding_bytes: device.limits.maxStorageBufferBindingSize,
      uniform_binding_bytes: device.limits.maxUniformBufferBindingSize,
      storage_buffers_per_shader: device.limits.maxStorageBuffersPerShaderStage,
      workgroup_storage_bytes: device.limits.maxComputeWorkgroupStorageSize,
      invocations_per_workgroup: device.limits.maxComputeInvocationsPerWorkgroup,
      workgroup_size: ['X', 'Y', 'Z'].map((axis) => device.limits[`maxComputeWorkgroupSize${axis}`]),
      workgroups_per_dimension: device.limits.maxComputeWorkgroupsPerDimension,
    },

    // The compiler's errors for a shader.
    mistakes: async (source) => {
      device.pushErrorScope('validation');
      const info = await device.createShaderModule({ code: source }).getCompilationInfo();
      await device.popErrorScope();
      return info.messages.filter(({ type }) => type === 'error')
        .map(({ message, lineNum, linePos, length }) => ({ message, line: lineNum, column: linePos, length }));
    },

    // Compiles a shader and returns its number. bindings are the kinds of its
    // buffers, the first at @binding(0); null lets the browser derive them.
    compile: (source, entry, bindings) => checked(async () => {
      const module = device.createShaderModule({ code: source });
      const group = bindings && device.createBindGroupLayout({
        entries: bindings.map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
      });
      const layout = bindings ? device.createPipelineLayout({ bindGroupLayouts: [group] }) : 'auto';
      const pipeline = await device.createComputePipelineAsync({ layout, compute: { module, entryPoint: entry } });
      return programs.push({ pipeline, group, bindings }) - 1;
    }),

    // Runs a program with buffers (their bytes, in base64) and returns the final
    // bytes of one of them.
    run: (number, workgroups, contents, output) => checked(async () => {
      const { pipeline, group, bindings } = programs[number];
      const buffers = contents.map((content, i) => {
        const bytes = decode(content);
        const usage = bindings[i] === 'uniform' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE;
        const buffer = device.createBuffer({ size: bytes.length, usage: usage | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
        device.queue.writeBuffer(buffer, 0, bytes);
        return buffer;
      });
      const { size } = buffers[output];
      const back = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, device.createBindGroup({
        layout: group, entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      }));
      pass.dispatchWorkgroups(...workgroups);
      pass.end();
      encoder.copyBufferToBuffer(buffers[output], 0, back, 0, size);
      device.queue.submit([encoder.finish()]);
      await back.mapAsync(GPUMapMode.READ);
      const text = encode(new Uint8Array(back.getMappedRange()));
      for (const buffer of [...buffers, back]) buffer.destroy();
      return text;
    }),
  };
})();
