// network runs your linear, relu, linear and softmax on the device and returns their result, row by
// row. x has rows rows. The hidden layer has b1.length numbers for each, and the result b2.length.
// linear.wgsl is linear's code, and linear.size[0] by linear.size[1] its workgroup. x, w1, b1, w2
// and b2 are Float32Arrays, and so is the result.
async function network(device, linear, relu, softmax, rows, x, w1, b1, w2, b2) {
    // Your lines go here.
}
