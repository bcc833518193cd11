// runHello runs the shader, your hello, on the device and returns its n numbers, as a Uint32Array.
// Its workgroups have size invocations.
async function runHello(device, shader, size, n) {
    // 1. Buffers: the shader writes to out, and the host reads readback.
    const bytes = 4 * n;
    const out = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    let readback;
    // Your line goes here: make readback, in the same way.

    // 2. The shader, ready to run, and its buffer.
    const module = device.createShaderModule({ code: shader });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0), // @group(0)
        entries: [
            // Your line goes here: out is @binding(0).
        ],
    });

    // 3. Commands.
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    // Your line goes here: start the workgroups.
    pass.end();
    // Your line goes here: copy out to readback.
    device.queue.submit([encoder.finish()]);

    // 4. The result.
    // Your line goes here: map readback, and wait for it.
    const result = new Uint32Array(readback.getMappedRange()).slice();
    for (const buffer of [out, readback]) buffer.destroy();
    return result;
}
