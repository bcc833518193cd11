// addVectors runs the shader, your vector-add, on the device and returns a[i] + b[i] for every i.
// Its workgroups have size invocations. a and b are Float32Arrays, and so is the result.
async function addVectors(device, shader, size, a, b) {
    // Your lines go here.
}
