// diagnosis: dispatch-surplus
async function rowMax(device, shader, rows, cols, x) {
    const most = Math.floor(65535 / 64) * 64; // rows in a dispatch: their bytes in out are a multiple of 256
    const bytes = 4 * rows;

    const xs = device.createBuffer({ size: 4 * x.length, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const out = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const readback = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const buffers = [xs, out, readback];
    device.queue.writeBuffer(xs, 0, x);

    const module = device.createShaderModule({ code: shader });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    for (let from = 0; from < rows; from += most) {
        const part = Math.min(most, rows - from);
        const dims = device.createBuffer({ size: 8, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
        buffers.push(dims);
        device.queue.writeBuffer(dims, 0, new Uint32Array([part, cols]));
        const group = device.createBindGroup({
            layout: pipeline.getBindGroupLayout(0),
            entries: [
                { binding: 0, resource: { buffer: dims } },
                { binding: 1, resource: { buffer: xs, offset: 4 * from * cols, size: 4 * part * cols } },
                { binding: 2, resource: { buffer: out, offset: 4 * from, size: 4 * part } },
            ],
        });
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(Math.min(rows, most));
    }
    pass.end();
    encoder.copyBufferToBuffer(out, 0, readback, 0, bytes);
    device.queue.submit([encoder.finish()]);

    await readback.mapAsync(GPUMapMode.READ);
    const result = new Float32Array(readback.getMappedRange()).slice();
    for (const buffer of buffers) buffer.destroy();
    return result;
}
