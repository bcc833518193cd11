// openDevice returns the device of the best adapter. If there is none, it throws an Error that says
// so.
async function openDevice() {
    // Your lines go here.
}
