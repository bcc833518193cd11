// forward runs the network on layers.x: four passes, one submission, no readback.
async function forward(layers) {
    // Your lines go here.
}
