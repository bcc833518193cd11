// trainLayer takes a step downhill for each of the steps batches, and returns w and after it b in
// one Float32Array. A batch has rows rows of x and as many labels, and the batches follow each other
// in x and label. x, w and b are Float32Arrays, and label is a Uint32Array. w is [inputs, classes],
// and b has a number for each class. linear.wgsl is linear's code, and linear.size[0] by
// linear.size[1] its workgroup.
async function trainLayer(device, linear, softmax, lossGrad, gradWeights, gradBias, sgd, rows, steps, x, label, w, b, rate) {
    // Your lines go here.
}
