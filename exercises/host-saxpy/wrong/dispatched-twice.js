// diagnosis: dispatch-again
async function saxpy(device, shader, size, alpha, n, x, y) {
    const bytes = 4 * y.length;

    const params = device.createBuffer({ size: 8, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    const xs = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const ys = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
    const readback = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });

    const members = new DataView(new ArrayBuffer(8));
    members.setFloat32(0, alpha, true);
    members.setUint32(4, n, true);
    device.queue.writeBuffer(params, 0, members);
    device.queue.writeBuffer(xs, 0, x);
    device.queue.writeBuffer(ys, 0, y);

    const module = device.createShaderModule({ code: shader });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [
            { binding: 0, resource: { buffer: params } },
            { binding: 1, resource: { buffer: xs } },
            { binding: 2, resource: { buffer: ys } },
        ],
    });

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(y.length / size));
    pass.dispatchWorkgroups(Math.ceil(y.length / size));
    pass.end();
    encoder.copyBufferToBuffer(ys, 0, readback, 0, bytes);
    device.queue.submit([encoder.finish()]);

    await readback.mapAsync(GPUMapMode.READ);
    const result = new Float32Array(readback.getMappedRange()).slice();
    for (const buffer of [params, xs, ys, readback]) buffer.destroy();
    return result;
}
