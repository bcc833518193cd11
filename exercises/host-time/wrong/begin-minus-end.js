// diagnosis: times-exchanged

async function timeSums(device, shader, blocks, x) {
    const bytes = 4 * blocks;

    const xs = device.createBuffer({ size: x.byteLength, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const out = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const resolved = device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });
    const readback = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const times = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const queries = device.createQuerySet({ type: 'timestamp', count: 2 });
    device.queue.writeBuffer(xs, 0, x);

    const module = device.createShaderModule({ code: shader });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [
            { binding: 0, resource: { buffer: xs } },
            { binding: 1, resource: { buffer: out } },
        ],
    });

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass({
        timestampWrites: { querySet: queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(blocks);
    pass.end();
    encoder.resolveQuerySet(queries, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(out, 0, readback, 0, bytes);
    encoder.copyBufferToBuffer(resolved, 0, times, 0, 16);
    device.queue.submit([encoder.finish()]);

    await readback.mapAsync(GPUMapMode.READ);
    await times.mapAsync(GPUMapMode.READ);
    const sums = new Float32Array(readback.getMappedRange()).slice();
    const two = new BigUint64Array(times.getMappedRange());
    const ticks = two[0] - two[1];
    for (const made of [xs, out, resolved, readback, times, queries]) made.destroy();
    return { sums, ticks };
}
