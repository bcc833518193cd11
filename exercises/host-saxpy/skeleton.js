// saxpy runs the shader, your saxpy, on the device and returns y: alpha * x[i] + y[i] for the first
// n elements, and the old y[i] for the others. Its workgroups have size invocations. alpha and n
// are numbers, x and y are Float32Arrays, and so is the result.
async function saxpy(device, shader, size, alpha, n, x, y) {
    // Your lines go here.
}
