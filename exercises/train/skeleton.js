// train takes one step downhill for each batch.
async function train(t) {
    // Your lines go here.
}
