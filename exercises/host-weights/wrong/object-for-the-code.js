// diagnosis: shader-mistake

async function layer(device, linear, rows, inputs, outputs, x, file, wAt, biasAt) {
    const view = new DataView(file.buffer);
    const w = new Float32Array(inputs * outputs);
    for (let i = 0; i < inputs; i++) {
        for (let c = 0; c < outputs; c++) {
            w[i * outputs + c] = view.getFloat32(wAt + 4 * (c * inputs + i), true);
        }
    }
    const bias = new Float32Array(outputs);
    for (let c = 0; c < outputs; c++) {
        bias[c] = view.getFloat32(biasAt + 4 * c, true);
    }

    const bytes = 4 * rows * outputs;
    const dims = device.createBuffer({ size: 12, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    const xs = device.createBuffer({ size: x.byteLength, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const ws = device.createBuffer({ size: w.byteLength, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const biases = device.createBuffer({ size: bias.byteLength, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const out = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const readback = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(dims, 0, new Uint32Array([rows, outputs, inputs]));
    device.queue.writeBuffer(xs, 0, x);
    device.queue.writeBuffer(ws, 0, w);
    device.queue.writeBuffer(biases, 0, bias);

    const module = device.createShaderModule({ code: linear });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [
            { binding: 0, resource: { buffer: dims } },
            { binding: 1, resource: { buffer: xs } },
            { binding: 2, resource: { buffer: ws } },
            { binding: 3, resource: { buffer: biases } },
            { binding: 4, resource: { buffer: out } },
        ],
    });

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(outputs / linear.size[0]), Math.ceil(rows / linear.size[1]));
    pass.end();
    encoder.copyBufferToBuffer(out, 0, readback, 0, bytes);
    device.queue.submit([encoder.finish()]);

    await readback.mapAsync(GPUMapMode.READ);
    const result = new Float32Array(readback.getMappedRange()).slice();
    for (const buffer of [dims, xs, ws, biases, out, readback]) buffer.destroy();
    return result;
}
