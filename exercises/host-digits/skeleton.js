// readDigits reads images with your normalize, linear, relu, linear, softmax and argmax, in one
// submission. pixels has a byte for each pixel. In file, the float32 numbers of w1, b1, w2 and b2
// begin at the bytes at.w1, at.b1, at.w2 and at.b2. w1 and w2 are [out, in], as PyTorch writes
// them. There are hidden neurons in the middle, and classes at the end. shaders has your shaders
// by their names: shaders.relu.wgsl is relu's code. A workgroup has size[0] by size[1]
// invocations. pixels and file are Uint8Arrays. The probabilities are a Float32Array, the digits a
// Uint32Array.
async function readDigits(device, shaders, images, hidden, classes, pixels, file, at) {
    // Your lines go here.
    return { probabilities: [], digits: [] };
}
