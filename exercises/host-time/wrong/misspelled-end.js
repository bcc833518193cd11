// diagnosis: times-zero

async function timeSums(device, shader, blocks, x) {
    const xBuffer = device.createBuffer({
        size: x.byteLength,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    });
    const out = device.createBuffer({
        size: 4 * blocks,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
    });
    const sumsRead = device.createBuffer({
        size: 4 * blocks,
        usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    const resolved = device.createBuffer({
        size: 16,
        usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
    const timesRead = device.createBuffer({
        size: 16,
        usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(xBuffer, 0, x);

    const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
    const pipeline = device.createComputePipeline({
        layout: 'auto',
        compute: { module: device.createShaderModule({ code: shader }), entryPoint: 'main' },
    });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [
            { binding: 0, resource: { buffer: xBuffer } },
            { binding: 1, resource: { buffer: out } },
        ],
    });

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass({
        timestampWrites: {
            querySet,
            beginningOfPassWriteIndex: 0,
            endingOfPassWriteIndex: 1,
        },
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(blocks);
    pass.end();
    encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(out, 0, sumsRead, 0, 4 * blocks);
    encoder.copyBufferToBuffer(resolved, 0, timesRead, 0, 16);
    device.queue.submit([encoder.finish()]);

    await Promise.all([sumsRead.mapAsync(GPUMapMode.READ), timesRead.mapAsync(GPUMapMode.READ)]);
    const sums = new Float32Array(sumsRead.getMappedRange()).slice();
    const times = new BigUint64Array(timesRead.getMappedRange());
    const ticks = times[1] - times[0];
    for (const buffer of [xBuffer, out, sumsRead, resolved, timesRead]) buffer.destroy();
    querySet.destroy();
    return { sums, ticks };
}
