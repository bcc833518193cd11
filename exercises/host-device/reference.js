// openDevice returns the device of the best adapter. If there is none, it throws an Error that says
// so.
async function openDevice() {
    const adapter = await navigator.gpu.requestAdapter();
    if (!adapter) throw new Error('There is no adapter here.');
    return adapter.requestDevice();
}
