// iota2D runs the shader, your iota-2d, on the device and returns its matrix, row by row, as a
// Uint32Array. Its workgroups have size[0] invocations in x and size[1] in y.
async function iota2D(device, shader, size, rows, cols) {
    // Your lines go here.
}
