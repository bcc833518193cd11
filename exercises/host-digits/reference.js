function filled(device, values, usage) {
    const buffer = device.createBuffer({ size: values.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, values);
    return buffer;
}

function empty(device, numbers, usage) {
    return device.createBuffer({ size: 4 * numbers, usage });
}

function compiled(device, shader) {
    const module = device.createShaderModule({ code: shader.wgsl });
    return device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
}

function bound(device, pipeline, ...buffers) {
    const entries = buffers.map((buffer, i) => ({ binding: i, resource: { buffer } }));
    return device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
}

// numbers reads rows of columns numbers that begin at a byte of the file.
function numbers(file, at, rows, columns) {
    const view = new DataView(file.buffer), values = new Float32Array(rows * columns);
    for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(at + 4 * i, true);
    return values;
}

// transposed turns rows of columns numbers into columns of rows.
function transposed(values, columns) {
    const turned = new Float32Array(values.length), rows = values.length / columns;
    for (let i = 0; i < values.length; i++) turned[(i % columns) * rows + Math.floor(i / columns)] = values[i];
    return turned;
}

async function readDigits(device, shaders, images, hidden, classes, pixels, file, at) {
    const mean = 0.1307, stddev = 0.3081;
    const inputs = pixels.length / images;

    const words = filled(device, pixels, GPUBufferUsage.STORAGE);
    const w1 = filled(device, transposed(numbers(file, at.w1, hidden, inputs), inputs), GPUBufferUsage.STORAGE);
    const b1 = filled(device, numbers(file, at.b1, 1, hidden), GPUBufferUsage.STORAGE);
    const w2 = filled(device, transposed(numbers(file, at.w2, classes, hidden), hidden), GPUBufferUsage.STORAGE);
    const b2 = filled(device, numbers(file, at.b2, 1, classes), GPUBufferUsage.STORAGE);
    const scale = new Uint32Array([pixels.length, 0, 0]);
    new Float32Array(scale.buffer).set([mean, stddev], 1);
    const params = filled(device, scale, GPUBufferUsage.UNIFORM);
    const dims1 = filled(device, new Uint32Array([images, hidden, inputs]), GPUBufferUsage.UNIFORM);
    const dims2 = filled(device, new Uint32Array([images, classes, hidden]), GPUBufferUsage.UNIFORM);
    const shape = filled(device, new Uint32Array([images, classes]), GPUBufferUsage.UNIFORM);
    const x = empty(device, pixels.length, GPUBufferUsage.STORAGE);
    const hiddens = empty(device, images * hidden, GPUBufferUsage.STORAGE);
    const scores = empty(device, images * classes, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    const answers = empty(device, images, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    const readback = empty(device, images * classes + images, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);

    const normalize = compiled(device, shaders.normalize);
    const linear = compiled(device, shaders.linear);
    const relu = compiled(device, shaders.relu);
    const softmax = compiled(device, shaders.softmax);
    const argmax = compiled(device, shaders.argmax);

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const run = (pipeline, x, y, ...buffers) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bound(device, pipeline, ...buffers));
        pass.dispatchWorkgroups(x, y);
    };
    const size = shaders.linear.size;
    run(normalize, Math.ceil(pixels.length / shaders.normalize.size[0]), 1, params, words, x);
    run(linear, Math.ceil(hidden / size[0]), Math.ceil(images / size[1]), dims1, x, w1, b1, hiddens);
    run(relu, Math.ceil(images * hidden / shaders.relu.size[0]), 1, hiddens);
    run(linear, Math.ceil(classes / size[0]), Math.ceil(images / size[1]), dims2, hiddens, w2, b2, scores);
    run(softmax, images, 1, shape, scores);
    run(argmax, Math.ceil(images / shaders.argmax.size[0]), 1, shape, scores, answers);
    pass.end();
    const part = 4 * images * classes;
    encoder.copyBufferToBuffer(scores, 0, readback, 0, part);
    encoder.copyBufferToBuffer(answers, 0, readback, part, 4 * images);
    device.queue.submit([encoder.finish()]);

    await readback.mapAsync(GPUMapMode.READ);
    const bytes = readback.getMappedRange();
    const result = { probabilities: new Float32Array(bytes, 0, images * classes).slice(), digits: new Uint32Array(bytes, part).slice() };
    for (const buffer of [words, w1, b1, w2, b2, params, dims1, dims2, shape, x, hiddens, scores, answers, readback]) buffer.destroy();
    return result;
}
