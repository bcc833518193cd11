// upload returns a new buffer with the usages that holds the data, a typed array.
function upload(device, data, usage) {
    // Your lines go here.
}
