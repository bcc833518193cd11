// The network on this browser's WebGPU. It compiles the learner's shaders once, and
// needs one submission and one readback per request.

import { SIDE, SRC } from './frame.js';

// WebGPU's default limits are lower than most adapters' limits. A shader that passed
// on another machine may need the higher ones.
const RAISED_LIMITS = [
  'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupSizeX', 'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ', 'maxComputeWorkgroupStorageSize',
];

// Between downsample and normalize, values become bytes, four per word.
const TO_BYTES = {
  workgroup: [64, 1, 1],
  bindings: ['read-only-storage', 'storage'],
  source: `
    @group(0) @binding(0) var<storage, read> values: array<f32>;
    @group(0) @binding(1) var<storage, read_write> words: array<u32>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
      let i = id.x;
      if (i < arrayLength(&words)) {
        words[i] = pack4x8unorm(vec4(values[4u * i], values[4u * i + 1u], values[4u * i + 2u], values[4u * i + 3u]));
      }
    }`,
};

/** openWebGPU gives a backend for the page that runs shaders ({name: {source,
 * workgroup, bindings}}) over weights. It throws where WebGPU cannot; the message
 * says why and what to do. */
export async function openWebGPU({ shaders, weights }) {
  let network = await makeNetwork(shaders, weights);
  let turn = Promise.resolve(); // requests share buffers, so they run one at a time
  const inTurn = (question) => {
    const answer = turn.then(() => question(network).catch(async () => {
      // A browser may lose the device at any time. Then we open a new one.
      network = await makeNetwork(shaders, weights);
      return question(network);
    }));
    turn = answer.catch(() => {});
    return answer;
  };
  return {
    label: `by this browser's WebGPU, on ${network.adapter}`,
    classify: (drawing) => inTurn((on) => on.classify(drawing)),
    probabilities: (pixels) => inTurn((on) => on.probabilities(pixels)),
  };
}

async function makeNetwork(shaders, weights) {
  const { adapter, device } = await openDevice();
  const kernels = {};
  await Promise.all(Object.entries({ ...shaders, bytes: TO_BYTES }).map(async ([name, shader]) => {
    kernels[name] = await compileKernel(device, name, shader);
  }));

  const storage = (content) => filledBuffer(device, GPUBufferUsage.STORAGE, content);
  const uniform = (...words) => filledBuffer(device, GPUBufferUsage.UNIFORM, new Uint32Array([...words, 0, 0, 0, 0].slice(0, 4)));
  const inputs = SIDE * SIDE, hidden = weights.b1.length, outputs = weights.b2.length;
  const image = storage(new Float32Array(SRC * SRC));
  const small = storage(new Float32Array(inputs));
  const words = storage(new Uint32Array(inputs / 4));
  const x = storage(new Float32Array(inputs));
  const h = storage(new Float32Array(hidden));
  const out = storage(new Float32Array(outputs));

  const pass = (name, workgroups, ...buffers) => ({
    name, workgroups, pipeline: kernels[name].pipeline,
    group: device.createBindGroup({
      layout: kernels[name].layout, entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    }),
  });
  const over = (name, [across, down = 1], ...buffers) => {
    const [wide, high] = kernels[name].workgroup;
    return pass(name, [Math.ceil(across / wide), Math.ceil(down / high)], ...buffers);
  };
  const reading = [
    over('downsample', [SIDE, SIDE], uniform(SRC, SIDE), image, small),
    over('bytes', [inputs / 4], small, words),
    over('normalize', [inputs], uniform(inputs, bitsOf(weights.mean), bitsOf(weights.stddev)), words, x),
  ];
  // layer returns the passes of a layer. If weights are bytes, what it reads has to become bytes first.
  const layer = (number, from, width, w, bias, to) => {
    const neurons = bias.length;
    if (!weights.scales) return [over('linear', [neurons], uniform(1, neurons, width), from, storage(w), storage(bias), to)];
    const dims = uniform(1, width), scale = storage(new Float32Array(1)), bytes = storage(new Uint32Array(width / 4));
    return [
      pass('absmax', [1], dims, from, scale), // one workgroup per row
      over('quantize', [width / 4], dims, from, scale, bytes),
      over('linear-int8', [neurons], uniform(1, neurons, width),
        bytes, scale, storage(weights.words[number]), storage(weights.scales[number]), storage(bias), to),
    ];
  };
  const forward = [
    ...layer(0, x, inputs, weights.w1, weights.b1, h),
    over('relu', [hidden], h),
    ...layer(1, h, hidden, weights.w2, weights.b2, out),
    pass('softmax', [1], uniform(1, outputs), out), // one workgroup per row
  ];
  const submit = makeSubmit(device, reading.length + forward.length, [out, words]);
  const { vendor, architecture, description } = adapter.info;

  return {
    adapter: description || [vendor, architecture].filter(Boolean).join(' ') || 'an unnamed adapter',

    async classify(drawing) {
      device.queue.writeBuffer(image, 0, drawing.image);
      const { contents, passes } = await submit([...reading, ...forward]);
      return {
        probabilities: new Float32Array(contents[0]),
        pixels: Float32Array.from(new Uint8Array(contents[1]), (byte) => byte / 255),
        passes: passes.filter(({ name }) => name !== 'bytes'), // which isn't a kernel of the course
      };
    },

    // probabilities takes 784 values that were never rounded to bytes.
    async probabilities(pixels) {
      device.queue.writeBuffer(x, 0, Float32Array.from(pixels, (p) => (p - weights.mean) / weights.stddev));
      const { contents } = await submit(forward);
      return new Float32Array(contents[0]);
    },
  };
}

/** openDevice opens a device that may run the course's shaders. */
export async function openDevice() {
  if (!navigator.gpu) {
    throw new Error(isSecureContext ? 'This browser has no WebGPU. A newer version may have it.'
      : 'This browser offers no WebGPU to this page. WebGPU needs a local file, localhost or https.');
  }
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error('This browser has no WebGPU on this machine, because it found no suitable GPU. In Chrome, see chrome://gpu for details.');
  const requiredLimits = Object.fromEntries(RAISED_LIMITS.map((name) => [name, adapter.limits[name]]));
  const requiredFeatures = adapter.features.has('timestamp-query') ? ['timestamp-query'] : [];
  return { adapter, device: await adapter.requestDevice({ requiredLimits, requiredFeatures }) };
}

// compileKernel creates the layout from the declared bindings, not from the used
// ones: an unused binding is not an error.
async function compileKernel(device, name, { source, workgroup, bindings }) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ label: name, code: source });
  const refusal = await device.popErrorScope();
  if (refusal) throw new Error(`This browser's WebGPU rejects the shader ${name}. ${refusal.message}`);
  const layout = device.createBindGroupLayout({
    entries: bindings.map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
  });
  const pipeline = await device.createComputePipelineAsync({
    label: name,
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module, entryPoint: 'main' },
  }).catch((error) => {
    throw new Error(`This browser's WebGPU cannot run the shader ${name}. ${error.message}`);
  });
  return { layout, pipeline, workgroup };
}

function filledBuffer(device, usage, content) {
  const buffer = device.createBuffer({ size: content.byteLength, usage: usage | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
  device.queue.writeBuffer(buffer, 0, content);
  return buffer;
}

// makeSubmit returns a function that runs passes in order, in one submission. With
// one readback it returns each pass's time and the results.
function makeSubmit(device, most, results) {
  const ticks = 16 * most; // bytes: two times of 8 for each pass
  const back = device.createBuffer({
    size: results.reduce((sum, buffer) => sum + buffer.size, ticks),
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  const timed = device.features.has('timestamp-query');
  const queries = timed && device.createQuerySet({ type: 'timestamp', count: 2 * most });
  const resolved = timed && device.createBuffer({ size: ticks, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });

  return async (passes) => {
    const encoder = device.createCommandEncoder();
    passes.forEach(({ pipeline, group, workgroups }, i) => {
      const times = timed && { querySet: queries, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 };
      const pass = encoder.beginComputePass(timed ? { timestampWrites: times } : {});
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(...workgroups);
      pass.end();
    });
    if (timed) {
      encoder.resolveQuerySet(queries, 0, 2 * passes.length, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, back, 0, ticks);
    }
    let offset = ticks;
    for (const buffer of results) {
      encoder.copyBufferToBuffer(buffer, 0, back, offset, buffer.size);
      offset += buffer.size;
    }
    device.queue.submit([encoder.finish()]);
    await back.mapAsync(GPUMapMode.READ);
    const read = back.getMappedRange().slice(0);
    back.unmap();

    const times = new BigInt64Array(read, 0, 2 * most);
    const took = (i) => Math.max(0, Number(times[2 * i + 1] - times[2 * i]) / 1e6); // from nanoseconds
    offset = ticks;
    return {
      passes: passes.map(({ name }, i) => ({ name, milliseconds: timed ? took(i) : null })),
      contents: results.map(({ size }) => read.slice(offset, offset += size)),
    };
  };
}

// bitsOf returns the bits of a float32 as a word.
function bitsOf(value) {
  return new Uint32Array(Float32Array.of(value).buffer)[0];
}
