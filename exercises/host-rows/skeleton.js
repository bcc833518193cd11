// rowMax runs the shader, your row-max, on the device and returns the largest number of each row of
// x. There are up to 100,000 rows of cols numbers. x is a Float32Array, and so is the result.
async function rowMax(device, shader, rows, cols, x) {
    // Your lines go here.
}
