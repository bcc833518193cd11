// timeSums runs the shader, your sum-fast, on the device and returns { sums, ticks }. sums is a
// Float32Array with the sum of each of the blocks of 1,024 numbers in x. ticks is a BigInt: the
// ticks from the begin of the pass to its end. The device has the feature timestamp-query. x is a
// Float32Array.
async function timeSums(device, shader, blocks, x) {
    // Your lines go here.
}
