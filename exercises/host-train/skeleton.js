// trainLayer takes a step downhill for each of the batches, and returns w and after it b in one
// Float32Array. A batch has rows rows of x and as many labels. x, w and b are Float32Arrays, and
// label is a Uint32Array. w is [inputs, classes], and b has a number for each class. A shader has
// its code in wgsl, and size[0] by size[1] invocations in a workgroup.
async function trainLayer(device, linear, softmax, lossGrad, gradWeights, gradBias, sgd, rows, steps, x, label, w, b, rate) {
    // Your lines go here.
}
