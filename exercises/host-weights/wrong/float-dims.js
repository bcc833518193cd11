// diagnosis: uniform-word

async function layer(device, linear, rows, inputs, outputs, x, file, wAt, biasAt) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const w = new Float32Array(inputs * outputs);
    for (let c = 0; c < outputs; c++) {
        for (let i = 0; i < inputs; i++) {
            w[i * outputs + c] = view.getFloat32(wAt + 4 * (c * inputs + i), true);
        }
    }
    const bias = new Float32Array(outputs);
    for (let c = 0; c < outputs; c++) {
        bias[c] = view.getFloat32(biasAt + 4 * c, true);
    }

    const made = [];
    const buffer = (size, usage) => {
        const b = device.createBuffer({ size, usage });
        made.push(b);
        return b;
    };
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    const dims = buffer(12, UNIFORM | COPY_DST);
    const xBuffer = buffer(4 * rows * inputs, STORAGE | COPY_DST);
    const wBuffer = buffer(4 * inputs * outputs, STORAGE | COPY_DST);
    const biasBuffer = buffer(4 * outputs, STORAGE | COPY_DST);
    const out = buffer(4 * rows * outputs, STORAGE | COPY_SRC);
    const readback = buffer(4 * rows * outputs, MAP_READ | COPY_DST);
    device.queue.writeBuffer(dims, 0, new Float32Array([rows, outputs, inputs]));
    device.queue.writeBuffer(xBuffer, 0, x);
    device.queue.writeBuffer(wBuffer, 0, w);
    device.queue.writeBuffer(biasBuffer, 0, bias);

    const module = device.createShaderModule({ code: linear.wgsl });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [
            { binding: 0, resource: { buffer: dims } },
            { binding: 1, resource: { buffer: xBuffer } },
            { binding: 2, resource: { buffer: wBuffer } },
            { binding: 3, resource: { buffer: biasBuffer } },
            { binding: 4, resource: { buffer: out } },
        ],
    });

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(outputs / linear.size[0]), Math.ceil(rows / linear.size[1]));
    pass.end();
    encoder.copyBufferToBuffer(out, 0, readback, 0, 4 * rows * outputs);
    device.queue.submit([encoder.finish()]);

    await readback.mapAsync(GPUMapMode.READ);
    const result = new Float32Array(readback.getMappedRange()).slice();
    for (const b of made) b.destroy();
    return result;
}
