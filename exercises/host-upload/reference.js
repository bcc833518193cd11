// upload returns a new buffer with the usages that holds the data, a typed array.
function upload(device, data, usage) {
    const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
}
