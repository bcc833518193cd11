// layer runs your linear on the device and returns x · w + bias, rows by outputs numbers. x has rows
// by inputs numbers. In file, w begins at byte wAt and has outputs rows of inputs numbers. The
// outputs numbers of bias begin at byte biasAt. Each number is a float32, the lowest byte first.
// linear.wgsl is the shader's code, and linear.size[0] by linear.size[1] its workgroup. x is a
// Float32Array, and so is the result. file is a Uint8Array.
async function layer(device, linear, rows, inputs, outputs, x, file, wAt, biasAt) {
    // Your lines go here.
}
