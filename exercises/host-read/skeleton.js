// read returns the bytes of a buffer, as an ArrayBuffer.
async function read(device, buffer) {
    // Your lines go here.
}
