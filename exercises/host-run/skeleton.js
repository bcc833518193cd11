// run starts x times y workgroups of the pipeline. Its bindings 0, 1, … are the buffers, in order.
function run(device, pipeline, x, y, ...buffers) {
    // Your lines go here.
}
