// pipeline returns the shader, compiled and ready to start at its main.
function pipeline(device, shader) {
    // Your lines go here.
}
