// diagnosis: group-again
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

async function network(device, linear, relu, softmax, rows, x, w1, b1, w2, b2) {
    const inputs = x.length / rows, hidden = b1.length, classes = b2.length;
    const bytes = 4 * rows * classes;

    const xs = filled(device, x, GPUBufferUsage.STORAGE);
    const ws1 = filled(device, w1, GPUBufferUsage.STORAGE);
    const bs1 = filled(device, b1, GPUBufferUsage.STORAGE);
    const ws2 = filled(device, w2, GPUBufferUsage.STORAGE);
    const bs2 = filled(device, b2, GPUBufferUsage.STORAGE);
    const dims1 = filled(device, new Uint32Array([rows, hidden, inputs]), GPUBufferUsage.UNIFORM);
    const dims2 = filled(device, new Uint32Array([rows, classes, hidden]), GPUBufferUsage.UNIFORM);
    const shape = filled(device, new Uint32Array([rows, classes]), GPUBufferUsage.UNIFORM);
    const hiddens = empty(device, rows * hidden, GPUBufferUsage.STORAGE);
    const out = empty(device, rows * classes, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    const readback = empty(device, rows * classes, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);

    const linears = compiled(device, linear);
    const relus = compiled(device, relu);
    const softmaxes = compiled(device, softmax);

    const first = bound(device, linears, dims1, xs, ws1, bs1, hiddens);
    const inPlace = bound(device, relus, hiddens);
    const second = bound(device, linears, dims2, hiddens, ws2, bs2, out);
    const last = bound(device, softmaxes, shape, out);

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(linears);
    pass.setBindGroup(0, first);
    pass.dispatchWorkgroups(Math.ceil(hidden / linear.size[0]), Math.ceil(rows / linear.size[1]));
    pass.setPipeline(relus);
    pass.setBindGroup(0, inPlace);
    pass.dispatchWorkgroups(Math.ceil(rows * hidden / relu.size[0]));
    pass.setPipeline(linears);
    pass.setBindGroup(0, first);
    pass.dispatchWorkgroups(Math.ceil(classes / linear.size[0]), Math.ceil(rows / linear.size[1]));
    pass.setPipeline(softmaxes);
    pass.setBindGroup(0, last);
    pass.dispatchWorkgroups(rows);
    pass.end();
    encoder.copyBufferToBuffer(out, 0, readback, 0, bytes);
    device.queue.submit([encoder.finish()]);

    await readback.mapAsync(GPUMapMode.READ);
    const result = new Float32Array(readback.getMappedRange()).slice();
    for (const buffer of [xs, ws1, bs1, ws2, bs2, dims1, dims2, shape, hiddens, out, readback]) buffer.destroy();
    return result;
}
