// read returns the bytes of a buffer, as an ArrayBuffer.
async function read(device, buffer) {
    const readback = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, readback, 0, buffer.size);
    device.queue.submit([encoder.finish()]);

    await readback.mapAsync(GPUMapMode.READ);
    const bytes = readback.getMappedRange().slice();
    readback.destroy();
    return bytes;
}
