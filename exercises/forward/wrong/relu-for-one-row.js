// diagnosis: dispatch-short

async function forward(layers) {
    const { linear, relu, softmax, rows } = layers;
    const [columnsAtOnce, rowsAtOnce] = linear.workgroupSize();
    const cover = (columns) => [Math.ceil(columns / columnsAtOnce), Math.ceil(rows / rowsAtOnce), 1];

    layers.device.run(
        linear.pass(cover(128), layers.dims1, layers.x, layers.w1, layers.b1, layers.hidden),
        relu.pass([Math.ceil(128 / relu.workgroupSize()[0]), 1, 1], layers.hidden),
        linear.pass(cover(10), layers.dims2, layers.hidden, layers.w2, layers.b2, layers.out),
        softmax.pass([rows, 1, 1], layers.shape, layers.out),
    );
}
