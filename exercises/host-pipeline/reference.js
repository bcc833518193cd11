// pipeline returns the shader, compiled and ready to start at its main.
function pipeline(device, shader) {
    const module = device.createShaderModule({ code: shader });
    return device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
}
