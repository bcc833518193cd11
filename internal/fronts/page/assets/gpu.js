// The watched navigator.gpu, for a learner's program in the judge's Web Worker. The classes have the names and members of
// WebGPU's, as far as compute needs them, and convert what they get as a browser does (Web IDL). Each call then goes to
// Go, internal/course/host/script, with the line of the program that made it.
'use strict';

// The flags, by their names.
const flags = {
  GPUBufferUsage: { MAP_READ: 1, MAP_WRITE: 2, COPY_SRC: 4, COPY_DST: 8, INDEX: 16, VERTEX: 32, UNIFORM: 64, STORAGE: 128, INDIRECT: 256, QUERY_RESOLVE: 512 },
  GPUMapMode: { READ: 1, WRITE: 2 },
  GPUShaderStage: { VERTEX: 1, FRAGMENT: 2, COMPUTE: 4 },
};

// wgslabWatch returns what runs a program: its calls go to the function go(name, line, object, ...arguments). instance is
// the handle of the object behind navigator.gpu. After end(), Go's functions are gone: a program that still runs calls none.
globalThis.wgslabWatch = (go, instance) => {
  const own = Symbol('the handle in Go');
  let address = null, lastLine = 0, told = 0, toldLine = 0, ended = false;

  // linesIn returns the lines of the program in a stack trace, the innermost first. packed puts three of them into one
  // number, as internal/course/host/script reads it.
  const linesIn = (stack) => String(stack).split(address + ':').slice(1).map((rest) => Math.min(parseInt(rest, 10) || 0, 65535));
  const packed = (lines) => lines.slice(0, 3).reduce((sum, line, i) => sum + line * 65536 ** i, 0);

  // alive tells the page that the program makes calls. In Go a call may take long; between two calls a program may not.
  const alive = (where) => {
    const now = Date.now();
    if (where === 'program' && now - told < 300 && lastLine === toldLine) return;
    told = now;
    toldLine = lastLine;
    postMessage({ host: where, line: lastLine });
  };

  // endless is the exception that ends a program which would never end in a browser.
  const endless = (message) => Object.assign(new Error(message), { name: 'Endless', line: packed(linesIn(new Error().stack)) });

  // reading is called for each look at the state of a buffer. A browser maps a buffer in a task of its own, and so does Go
  // here. A loop that only looks never lets that task run.
  const LOOKS = 500; // milliseconds
  let since = 0;
  const looking = () => {
    const now = Date.now();
    if (since === 0) {
      since = now;
      setTimeout(() => { since = 0; }, 0);
    } else if (now - since > LOOKS) {
      throw endless('The loop reads `mapState` without end: a browser changes it only while the program waits with `await`.');
    }
  };

  const call = (name, object, ...values) => {
    const lines = linesIn(new Error().stack);
    lastLine = lines[0] || lastLine;
    if (name === 'submit') alive('go');
    const answer = ended ? undefined : go(name, packed(lines), object, ...values);
    if (answer?.error !== undefined) uncaptured(object);
    if (name === 'submit') told = 0;
    alive('program');
    return answer;
  };

  // promised makes a call whose last argument in Go is the function that keeps the promise. settle gets what that function
  // receives, and returns the promise's value or throws.
  const promised = (name, object, values, settle) => new Promise((resolve, reject) => {
    const keep = (value) => {
      told = 0;
      alive('program');
      try { resolve(settle(value)); } catch (error) { reject(error); }
    };
    const answer = call(name, object, ...values, keep);
    if (answer?.error !== undefined) reject(new DOMException(answer.error, 'OperationError'));
  });

  // fault is an error with the line of the program's call, which an exception of the browser doesn't have.
  const fault = (message) => Object.assign(new DOMException(message, 'OperationError'), { line: packed(linesIn(new Error().stack)) });

  // unawaited makes a promise say so if the program uses it like the object that it brings, with the line of the call.
  const promises = new WeakMap(); // what to say
  const unawaited = (name, promise, type, ...more) => {
    const said = [`\`${name}\` returns a promise here. Write \`await\` in front of the call.`, packed(linesIn(new Error().stack))];
    promises.set(promise, said);
    for (const member of [...Object.getOwnPropertyNames(type.prototype), ...more]) {
      if (member !== 'constructor') Object.defineProperty(promise, member, { get() { throw forgotten(said); } });
    }
    return promise;
  };
  const forgotten = ([message, line]) => Object.assign(new TypeError(message), { line });

  // Conversions. Each gets a value and what it is for: 'createBuffer: size'.

  const integer = (most) => (value, what) => {
    const number = typeof value === 'bigint' ? NaN : Number(value);
    if (!Number.isFinite(number)) throw new TypeError(`${what} is ${typeof value === 'number' ? value : kindOf(value)}, and must be a number.`);
    const whole = Math.trunc(number);
    if (whole < 0 || whole > most) throw new TypeError(`${what} is ${whole}, and must be between 0 and ${most}.`);
    return whole;
  };
  const u32 = integer(2 ** 32 - 1), u64 = integer(2 ** 53 - 1);
  const one = (name) => `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
  const kindOf = (value) => value === null ? 'null' : Array.isArray(value) ? 'an array' : value === undefined ? 'missing' : one(typeof value === 'object' ? value.constructor?.name ?? 'object' : typeof value);
  const optional = (convert, other) => (value, what) => value === undefined ? other : convert(value, what);
  const text = (value) => String(value);
  const flag = (value) => Boolean(value);
  const oneOf = (...words) => (value, what) => {
    if (!words.includes(value)) throw new TypeError(`${what} is ${typeof value === 'string' ? `'${value}'` : kindOf(value)}, and must be ${words.map((word) => `'${word}'`).join(' or ')}.`);
    return value;
  };
  const list = (convert) => (value, what) => {
    if (value === null || typeof value !== 'object' || typeof value[Symbol.iterator] !== 'function') throw new TypeError(`${what} is ${kindOf(value)}, and must be a list.`);
    return [...value].map((element, i) => convert(element, `${what}[${i}]`));
  };
  const handle = (type) => (value, what) => {
    if (promises.has(value)) throw forgotten(promises.get(value));
    if (!(value instanceof type)) throw new TypeError(`${what} is ${kindOf(value)}, and must be ${one(type.name)}.`);
    return value[own];
  };
  // dictionary converts an object's members, in order. A missing object is one without members.
  const dictionary = (members) => (value, what) => {
    if (value !== undefined && value !== null && typeof value !== 'object') throw new TypeError(`${what} is ${kindOf(value)}, and must be an object.`);
    const converted = {};
    for (const [name, convert] of Object.entries(members)) converted[name] = convert(value?.[name], `${what}: ${name}`);
    return converted;
  };
  // record converts the values of an object by their names, and leaves out those that convert to undefined.
  const record = (convert) => (value, what) => {
    if (value === null || typeof value !== 'object') throw new TypeError(`${what} is ${kindOf(value)}, and must be an object.`);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member, `${what}.${name}`)]).filter(([, member]) => member !== undefined));
  };
  const double = (value, what) => {
    const number = typeof value === 'bigint' || typeof value === 'symbol' ? NaN : Number(value);
    if (!Number.isFinite(number)) throw new TypeError(`${what} is ${typeof value === 'number' ? value : kindOf(value)}, and must be a finite number.`);
    return number;
  };
  const needed = (convert) => (value, what) => {
    if (value === undefined) throw new TypeError(`${what} is missing.`);
    return convert(value, what);
  };
  const label = optional(text, '');
  const bytesOf = (value, what, offset, size) => {
    const view = ArrayBuffer.isView(value);
    if (!view && !(value instanceof ArrayBuffer)) throw new TypeError(`${what} is ${kindOf(value)}, and must be a typed array or an ArrayBuffer.`);
    const unit = view && value.BYTES_PER_ELEMENT ? value.BYTES_PER_ELEMENT : 1;
    const whole = view ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
    const from = offset * unit, to = size === undefined ? whole.length : from + size * unit;
    if (from > whole.length || to > whole.length) throw fault(`${what} has ${whole.length} bytes, and the write needs bytes ${from} to ${to}.`);
    return whole.subarray(from, to);
  };

  // Objects.

  class Watched {
    constructor(made, label) {
      Object.defineProperty(this, own, { value: made });
      this.label = label ?? '';
    }
  }

  const warn = globalThis.wgslabWarn ?? console.warn; // in a terminal, the verdict says it

  // uncaptured reports the errors of an object's device that no scope caught (§ Telemetry).
  const devices = new Map(); // by their handles
  const uncaptured = (object) => {
    for (const { device, ...said } of go('uncaptured', 0, object)) {
      warn(said.message);
      devices.get(device)?.onuncapturederror?.({ error: errorOf(said) });
    }
  };

  class GPUPipelineError extends DOMException {
    constructor(message, { reason }) {
      super(message, 'GPUPipelineError');
      Object.assign(this, { reason, line: packed(linesIn(new Error().stack)) });
    }
  }
  class GPUError { constructor(message) { this.message = message; } }
  class GPUValidationError extends GPUError {}
  class GPUOutOfMemoryError extends GPUError {}
  class GPUInternalError extends GPUError {}
  const errorOf = ({ kind, message }) => new ({ 'out-of-memory': GPUOutOfMemoryError, internal: GPUInternalError }[kind] ?? GPUValidationError)(message);

  const unmapped = new WeakSet(); // memory that the program has given back

  class GPUBuffer extends Watched {
    #ranges = [];
    constructor(made, { label, size, usage }) {
      super(made, label);
      Object.assign(this, { size, usage });
    }

    get mapState() {
      looking();
      return call('mapState', this[own]);
    }

    mapAsync(mode, offset, size) {
      return promised('mapAsync', this[own], [u32(mode, 'mapAsync: mode'), optional(u64)(offset, 'mapAsync: offset'), optional(u64)(size, 'mapAsync: size')], (status) => {
        if (status !== 0) throw new DOMException('The buffer was not mapped.', status === 1 ? 'OperationError' : 'AbortError');
      });
    }

    getMappedRange(offset, size) {
      const answer = call('getMappedRange', this[own], optional(u64)(offset, 'getMappedRange: offset'), optional(u64)(size, 'getMappedRange: size'));
      if (answer.error !== undefined) throw fault(answer.error);
      this.#ranges.push(answer);
      return answer.bytes.buffer;
    }

    // #giveBack hands the ranges' bytes to Go, and detaches them: their memory isn't the program's any more.
    #giveBack() {
      for (const { range, bytes } of this.#ranges) {
        if (bytes.length > 0) call('written', this[own], range, bytes);
        unmapped.add(bytes.buffer);
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      }
      this.#ranges = [];
    }

    unmap() {
      this.#giveBack();
      call('unmap', this[own]);
    }

    destroy() {
      this.#giveBack();
      call('destroy', this[own]);
    }
  }

  class GPUShaderModule extends Watched {
    async getCompilationInfo() { return { messages: [] }; }
  }
  class GPUBindGroupLayout extends Watched {}
  class GPUPipelineLayout extends Watched {}
  class GPUBindGroup extends Watched {}
  class GPUCommandBuffer extends Watched {}
  class GPUQuerySet extends Watched {
    constructor(made, { label, type, count }) {
      super(made, label);
      Object.assign(this, { type, count });
    }

    destroy() { call('destroy', this[own]); }
  }
  class GPUComputePipeline extends Watched {
    getBindGroupLayout(index) { return new GPUBindGroupLayout(call('getBindGroupLayout', this[own], u32(index, 'getBindGroupLayout: index')).made); }
  }

  // Commands groups what encoders and passes share.
  class Commands extends Watched {
    pushDebugGroup() { call('pushDebugGroup', this[own]); }
    popDebugGroup() { call('popDebugGroup', this[own]); }
    insertDebugMarker() { call('insertDebugMarker', this[own]); }
  }

  class GPUComputePassEncoder extends Commands {
    setPipeline(pipeline) { call('setPipeline', this[own], handle(GPUComputePipeline)(pipeline, 'setPipeline: pipeline')); }

    setBindGroup(index, group, offsets, start, length) {
      const at = u32(index, 'setBindGroup: index'), bound = group === null ? null : handle(GPUBindGroup)(group, 'setBindGroup: bindGroup');
      const all = offsets === undefined ? [] : list(u32)(offsets, 'setBindGroup: dynamicOffsets');
      call('setBindGroup', this[own], at, bound, start === undefined ? all : all.slice(start, start + length));
    }

    dispatchWorkgroups(x, y, z) {
      call('dispatchWorkgroups', this[own], u32(x, 'dispatchWorkgroups: x'), optional(u32, 1)(y, 'dispatchWorkgroups: y'), optional(u32, 1)(z, 'dispatchWorkgroups: z'));
    }

    dispatchWorkgroupsIndirect(buffer, offset) {
      call('dispatchWorkgroupsIndirect', this[own], handle(GPUBuffer)(buffer, 'dispatchWorkgroupsIndirect: buffer'), u64(offset, 'dispatchWorkgroupsIndirect: offset'));
    }

    end() { call('end', this[own]); }
  }

  const passTimes = optional(dictionary({ querySet: needed(handle(GPUQuerySet)), beginningOfPassWriteIndex: optional(u32), endOfPassWriteIndex: optional(u32) }));

  class GPUCommandEncoder extends Commands {
    beginComputePass(descriptor) {
      const { label: name, timestampWrites: times } = dictionary({ label, timestampWrites: passTimes })(descriptor, 'beginComputePass');
      return new GPUComputePassEncoder(call('beginComputePass', this[own], name, times?.querySet, times?.beginningOfPassWriteIndex, times?.endOfPassWriteIndex).made, name);
    }

    copyBufferToBuffer(source, ...rest) {
      const [sourceOffset, destination, destinationOffset, size] = rest[0] instanceof GPUBuffer && rest.length <= 2 ? [0, rest[0], 0, rest[1]] : rest;
      const buffer = handle(GPUBuffer), name = 'copyBufferToBuffer: ';
      call('copyBufferToBuffer', this[own], buffer(source, name + 'source'), u64(sourceOffset, name + 'sourceOffset'), buffer(destination, name + 'destination'), u64(destinationOffset, name + 'destinationOffset'), optional(u64)(size, name + 'size'));
    }

    clearBuffer(buffer, offset, size) {
      call('clearBuffer', this[own], handle(GPUBuffer)(buffer, 'clearBuffer: buffer'), optional(u64, 0)(offset, 'clearBuffer: offset'), optional(u64)(size, 'clearBuffer: size'));
    }

    resolveQuerySet(set, first, count, destination, offset) {
      const name = 'resolveQuerySet: ';
      call('resolveQuerySet', this[own], handle(GPUQuerySet)(set, name + 'querySet'), u32(first, name + 'firstQuery'), u32(count, name + 'queryCount'), handle(GPUBuffer)(destination, name + 'destination'), u64(offset, name + 'destinationOffset'));
    }

    finish(descriptor) {
      const { label: name } = dictionary({ label })(descriptor, 'finish');
      return new GPUCommandBuffer(call('finish', this[own], name).made, name);
    }
  }

  class GPUQueue extends Watched {
    writeBuffer(buffer, offset, data, dataOffset, size) {
      const name = 'writeBuffer: ', to = handle(GPUBuffer)(buffer, name + 'buffer'), at = u64(offset, name + 'bufferOffset');
      const bytes = bytesOf(data, name + 'data', optional(u64, 0)(dataOffset, name + 'dataOffset'), optional(u64)(size, name + 'size'));
      call('writeBuffer', this[own], to, at, bytes);
    }

    submit(buffers) { call('submit', this[own], list(handle(GPUCommandBuffer))(buffers, 'submit: commandBuffers')); }
    onSubmittedWorkDone() { return promised('onSubmittedWorkDone', this[own], [], () => undefined); }
  }

  const bufferLayout = optional(dictionary({ type: optional(oneOf('uniform', 'storage', 'read-only-storage'), 'uniform'), hasDynamicOffset: flag, minBindingSize: optional(u64, 0) }));
  const layoutEntry = dictionary({ binding: needed(u32), visibility: needed(u32), buffer: bufferLayout });
  const boundRange = dictionary({ buffer: needed(handle(GPUBuffer)), offset: optional(u64, 0), size: optional(u64) });
  const bound = (value, what) => value instanceof GPUBuffer ? { buffer: value[own], offset: 0 } : boundRange(value, what);
  const stage = dictionary({ module: needed(handle(GPUShaderModule)), entryPoint: optional(text, ''), constants: optional(record(double), {}) });
  const layout = (value, what) => value === 'auto' ? null : handle(GPUPipelineLayout)(value, what);

  const pipeline = (descriptor, name) => {
    const d = dictionary({ label, layout: needed(layout), compute: needed(stage) })(descriptor, name);
    return [d.label, d.layout, d.compute.module, d.compute.entryPoint, d.compute.constants];
  };

  class GPUDevice extends Watched {
    #lost;
    constructor(made, label) {
      super(made, label);
      const { limits, features, info, queue } = call('device', made);
      Object.assign(this, { limits, features: new Set(features), adapterInfo: info, queue: new GPUQueue(queue), onuncapturederror: null });
      devices.set(made, this);
    }

    // Go polls the device only for a program that asks for this promise (§ Fatal Errors).
    get lost() { return this.#lost ??= promised('lost', this[own], [], (info) => info); }

    // #make makes an object by a call, which reports what is wrong with it.
    #make(name, values, type, ...more) {
      const answer = call(name, this[own], ...values);
      if (answer.stop) throw endless(answer.error);
      return new type(answer.made, ...more);
    }

    createBuffer(descriptor) {
      const d = dictionary({ label, size: needed(u64), usage: needed(u32), mappedAtCreation: flag })(descriptor, 'createBuffer');
      return this.#make('createBuffer', [d.label, d.size, d.usage, d.mappedAtCreation], GPUBuffer, d);
    }

    createShaderModule(descriptor) {
      const d = dictionary({ label, code: needed(text) })(descriptor, 'createShaderModule');
      return this.#make('createShaderModule', [d.label, d.code], GPUShaderModule, d.label);
    }

    createBindGroupLayout(descriptor) {
      const d = dictionary({ label, entries: needed(list(layoutEntry)) })(descriptor, 'createBindGroupLayout');
      const entries = d.entries.map(({ binding, visibility, buffer: b }) => [binding, visibility, b?.type ?? '', b?.hasDynamicOffset ?? false, b?.minBindingSize ?? 0]);
      return this.#make('createBindGroupLayout', [d.label, entries], GPUBindGroupLayout, d.label);
    }

    createPipelineLayout(descriptor) {
      const group = (value, what) => value === null || value === undefined ? null : handle(GPUBindGroupLayout)(value, what);
      const d = dictionary({ label, bindGroupLayouts: needed(list(group)) })(descriptor, 'createPipelineLayout');
      return this.#make('createPipelineLayout', [d.label, d.bindGroupLayouts], GPUPipelineLayout, d.label);
    }

    createComputePipeline(descriptor) { return this.#make('createComputePipeline', [...pipeline(descriptor, 'createComputePipeline'), false], GPUComputePipeline, descriptor.label); }

    createComputePipelineAsync(descriptor) { return unawaited('createComputePipelineAsync', this.#promised(descriptor), GPUComputePipeline); }

    async #promised(descriptor) {
      const answer = call('createComputePipeline', this[own], ...pipeline(descriptor, 'createComputePipelineAsync'), true);
      if (answer.error !== undefined) throw new GPUPipelineError(answer.error, { reason: answer.kind === 'validation' ? 'validation' : 'internal' });
      return new GPUComputePipeline(answer.made, descriptor.label);
    }

    createBindGroup(descriptor) {
      const entry = dictionary({ binding: needed(u32), resource: needed(bound) });
      const d = dictionary({ label, layout: needed(handle(GPUBindGroupLayout)), entries: needed(list(entry)) })(descriptor, 'createBindGroup');
      return this.#make('createBindGroup', [d.label, d.layout, d.entries.map(({ binding, resource: r }) => [binding, r.buffer, r.offset, r.size])], GPUBindGroup, d.label);
    }

    createQuerySet(descriptor) {
      const d = dictionary({ label, type: needed(oneOf('occlusion', 'timestamp')), count: needed(u32) })(descriptor, 'createQuerySet');
      return this.#make('createQuerySet', [d.label, d.type, d.count], GPUQuerySet, d);
    }

    createCommandEncoder(descriptor) {
      const { label: name } = dictionary({ label })(descriptor, 'createCommandEncoder');
      return this.#make('createCommandEncoder', [name], GPUCommandEncoder, name);
    }

    pushErrorScope(filter) { call('pushErrorScope', this[own], oneOf('validation', 'out-of-memory', 'internal')(filter, 'pushErrorScope: filter')); }

    async popErrorScope() {
      const answer = call('popErrorScope', this[own]);
      if (answer?.error !== undefined) throw fault(answer.error);
      return answer && errorOf(answer);
    }

    addEventListener(name, listener) { if (name === 'uncapturederror') this.onuncapturederror = listener; }

    destroy() { call('destroyDevice', this[own]); }
  }

  class GPUAdapter extends Watched {
    constructor({ made, limits, features, info }) {
      super(made);
      Object.assign(this, { limits, features: new Set(features), info });
    }

    requestDevice(descriptor) { return unawaited('requestDevice', this.#request(descriptor), GPUDevice, 'queue', 'limits', 'features'); }

    async #request(descriptor) {
      const d = dictionary({ label, requiredFeatures: optional(list(text), []), requiredLimits: optional(record(optional(u64)), {}) })(descriptor, 'requestDevice');
      const answer = call('requestDevice', this[own], d.label, d.requiredFeatures, d.requiredLimits);
      if (answer.error !== undefined) throw answer.kind === 'type' ? new TypeError(answer.error) : fault(answer.error);
      return new GPUDevice(answer.made, d.label);
    }
  }

  class GPU extends Watched {
    requestAdapter(options) { return unawaited('requestAdapter', this.#request(options), GPUAdapter, 'info', 'limits', 'features'); }

    async #request(options) {
      const { featureLevel } = dictionary({ featureLevel: optional(text, 'core'), powerPreference: optional(oneOf('low-power', 'high-performance')) })(options, 'requestAdapter');
      if (featureLevel !== 'core' && featureLevel !== 'compatibility') return null;
      const answer = call('requestAdapter', this[own], Boolean(options?.forceFallbackAdapter));
      return answer.error === undefined ? new GPUAdapter(answer) : null;
    }

    getPreferredCanvasFormat() { return 'bgra8unorm'; }
    get wgslLanguageFeatures() { return new Set(call('wgslLanguageFeatures', this[own])); }
  }

  // Programs.

  // wgslabDue returns what a function of the program has returned. Package script knows its exception by its first words.
  const returned = (value) => {
    if (Array.isArray(value) && typeof value[0] === 'object') return `an array of ${value.length} (${value.map(kindOf).join(', ')})`;
    if (value?.constructor === Object) return `an object with ${Object.keys(value).map((name) => `\`${name}\``).join(', ') || 'no members'}`;
    return value === undefined ? 'nothing' : value instanceof Promise ? 'a promise' : kindOf(value);
  };
  const wgslabDue = (value, fits, type, name) => {
    if (!fits) throw new TypeError(`${name}: it returns ${returned(value)}, and must return ${/^[{]/.test(type) ? `\`${type}\`` : one(type)}.`);
    return value;
  };

  const gpu = new GPU(instance);
  const names = { navigator: { gpu }, GPU, GPUAdapter, GPUDevice, GPUQueue, GPUBuffer, ...flags, GPUError, GPUValidationError, GPUOutOfMemoryError, GPUInternalError, GPUPipelineError, wgslabDue, postMessage: undefined, close: undefined, importScripts: undefined };

  // read makes the function to call, if the program declares its own. A worker reads a program only as a file, and then also says where it ends too early.
  const read = async (program, name, learners) => {
    const parameters = Object.keys(names).join(', ');
    const before = `'use strict'; globalThis.wgslabProgram = (${parameters}) => { `;
    const after = `\n; return typeof ${learners} === 'function' ? ${name} : undefined; };`;
    address = URL.createObjectURL(new Blob([before, program, after], { type: 'text/javascript' }));
    try {
      importScripts(address);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const said = error.message.replace(/^Failed to execute .*?: /, '');
      throw Object.assign(new SyntaxError(said), { line: error.lineNumber ?? await mistakeIn(before, program, after) }); // Firefox knows it
    }
    return globalThis.wgslabProgram(...Object.values(names));
  };

  // mistakeIn returns the line of a syntax error, which only a worker of its own tells. The file throws before it runs.
  const mistakeIn = (...parts) => new Promise((resolve) => {
    const file = URL.createObjectURL(new Blob(['throw 0; ', ...parts], { type: 'text/javascript' })), worker = new Worker(file);
    const end = (line) => {
      worker.terminate();
      URL.revokeObjectURL(file);
      resolve(line);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(event.lineno ?? 0);
    };
    setTimeout(() => end(0), 2000);
  });

  // numbers converts a result; null is memory that the program has given back. members are those of the object that is
  // due; without them it is a list of numbers.
  const isList = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value) && !(value instanceof DataView) || Array.isArray(value) && typeof value[0] !== 'object';
  const isNumber = (value) => typeof value === 'number' || typeof value === 'bigint';
  const numbers = (result, members, name) => {
    if (members.length > 0) {
      wgslabDue(result, members.every((member) => isList(result?.[member]) || isNumber(result?.[member])), `{ ${members.join(', ')} }`, name);
      const all = members.map((member) => isNumber(result[member]) ? [Number(result[member])] : numbers(result[member], [], name));
      return all.includes(null) ? null : new Float64Array(all.flatMap((some) => [...some]));
    }
    wgslabDue(result, isList(result), 'typed array', name);
    if (unmapped.has(result.buffer ?? result)) return null;
    return Float64Array.from(result instanceof ArrayBuffer ? new Float32Array(result) : result, Number);
  };

  // run calls a function of a program: the learner's, or one of ours that calls it. members is null if no result is due.
  const run = async (program, name, learners, members, device, values, settled) => {
    try {
      const made = await read(program, name, learners);
      if (!made) throw Object.assign(new ReferenceError(learners), { name: 'Undeclared' });
      told = 0;
      alive('program');
      const result = await (device === 0 ? made(...values) : made(new GPUDevice(device), ...values));
      settled({ result: members && numbers(result, members, learners) });
    } catch (error) {
      const known = error instanceof Error || error instanceof DOMException;
      settled({ thrown: { name: known ? error.name : 'Error', message: known ? error.message : String(error), line: error?.line ?? packed(linesIn(error?.stack)) } });
    } finally {
      alive('go');
      URL.revokeObjectURL(address);
    }
  };

  // throwing and promising make functions of the parts that a program gets in place of a device.
  const throwing = (f) => (...values) => {
    lastLine = linesIn(new Error().stack)[0] || lastLine;
    const { value, error, refused } = ended ? { error: 'the check no longer waits for this program', refused: true } : f(...values);
    if (!refused) alive('program'); // a program that catches the error is stopped by the page
    if (error !== undefined) throw new TypeError(error);
    return value;
  };
  const promising = (f) => {
    let waits = false;
    return () => {
      lastLine = linesIn(new Error().stack)[0] || lastLine;
      if (waits) throw new TypeError('The call before has not ended: write `await` in front of it.');
      waits = true;
      alive('go');
      const kept = new Promise((resolve) => ended || f((value) => {
        told = 0;
        alive('program');
        resolve(value);
      }));
      kept.then(() => { waits = false; }); // before the program goes on
      return kept;
    };
  };
  return { run, throwing, promising, lastLine: () => lastLine, end: () => { ended = true; } };
};
