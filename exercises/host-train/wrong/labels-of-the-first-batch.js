// diagnosis: batch-stale
async function trainLayer(device, linear, softmax, lossGrad, gradWeights, gradBias, sgd, rows, steps, x, label, w, b, rate) {
    const classes = b.length, inputs = w.length / classes;
    const up = (n, size) => Math.ceil(n / size);

    const buffers = [];
    const empty = (numbers, usage) => {
        const buffer = device.createBuffer({ size: 4 * numbers, usage });
        buffers.push(buffer);
        return buffer;
    };
    const filled = (numbers, usage) => {
        const buffer = empty(numbers.length, usage | GPUBufferUsage.COPY_DST);
        device.queue.writeBuffer(buffer, 0, numbers);
        return buffer;
    };
    const params = (n) => {
        const members = new DataView(new ArrayBuffer(8));
        members.setUint32(0, n, true);
        members.setFloat32(4, rate, true);
        const buffer = empty(2, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
        device.queue.writeBuffer(buffer, 0, members);
        return buffer;
    };
    const dims = filled(new Uint32Array([rows, classes, inputs]), GPUBufferUsage.UNIFORM);
    const shape = filled(new Uint32Array([rows, classes]), GPUBufferUsage.UNIFORM);
    const stepW = params(w.length), stepB = params(b.length);
    const xs = empty(rows * inputs, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
    const labels = empty(rows, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
    const ws = filled(w, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    const bs = filled(b, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    const prob = empty(rows * classes, GPUBufferUsage.STORAGE);
    const loss = empty(rows, GPUBufferUsage.STORAGE);
    const d = empty(rows * classes, GPUBufferUsage.STORAGE);
    const dw = empty(w.length, GPUBufferUsage.STORAGE);
    const db = empty(b.length, GPUBufferUsage.STORAGE);
    const readback = empty(w.length + b.length, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);

    const pipeline = (shader) => device.createComputePipeline({
        layout: 'auto', compute: { module: device.createShaderModule({ code: shader.wgsl }), entryPoint: 'main' },
    });
    const stage = (pipeline, x, y, ...buffers) => ({
        pipeline, x, y,
        group: device.createBindGroup({
            layout: pipeline.getBindGroupLayout(0), entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
        }),
    });
    const step = pipeline(sgd);
    const stages = [
        stage(pipeline(linear), up(classes, linear.size[0]), up(rows, linear.size[1]), dims, xs, ws, bs, prob),
        stage(pipeline(softmax), rows, 1, shape, prob),
        stage(pipeline(lossGrad), up(rows, lossGrad.size[0]), 1, shape, prob, labels, loss, d),
        stage(pipeline(gradWeights), up(classes, gradWeights.size[0]), up(inputs, gradWeights.size[1]), dims, xs, d, dw),
        stage(pipeline(gradBias), up(classes, gradBias.size[0]), 1, shape, d, db),
        stage(step, up(w.length, sgd.size[0]), 1, stepW, dw, ws),
        stage(step, up(b.length, sgd.size[0]), 1, stepB, db, bs),
    ];

    for (let i = 0; i < steps; i++) {
        device.queue.writeBuffer(xs, 0, x.subarray(i * rows * inputs, (i + 1) * rows * inputs));
        if (i === 0) device.queue.writeBuffer(labels, 0, label.subarray(0, rows));
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        for (const { pipeline, group, x, y } of stages) {
            pass.setPipeline(pipeline);
            pass.setBindGroup(0, group);
            pass.dispatchWorkgroups(x, y);
        }
        pass.end();
        if (i === steps - 1) {
            encoder.copyBufferToBuffer(ws, 0, readback, 0, 4 * w.length);
            encoder.copyBufferToBuffer(bs, 0, readback, 4 * w.length, 4 * b.length);
        }
        device.queue.submit([encoder.finish()]);
    }

    await readback.mapAsync(GPUMapMode.READ);
    const result = new Float32Array(readback.getMappedRange()).slice();
    for (const buffer of buffers) buffer.destroy();
    return result;
}
