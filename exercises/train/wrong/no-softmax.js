// diagnosis: no-softmax

async function train(t) {
    while (await t.next()) {
        t.run(
            t.linear(t.x, t.w1, t.b1, t.hidden), t.relu(t.hidden),
            t.linear(t.hidden, t.w2, t.b2, t.prob),
            t.lossGrad(t.prob, t.label, t.loss, t.d),
            t.gradWeights(t.hidden, t.d, t.dW2), t.gradBias(t.d, t.dB2),
            t.gradHidden(t.d, t.w2, t.hidden, t.dHidden),
            t.gradWeights(t.x, t.dHidden, t.dW1), t.gradBias(t.dHidden, t.dB1),
            t.sgd(t.dW1, t.w1), t.sgd(t.dB1, t.b1), t.sgd(t.dW2, t.w2), t.sgd(t.dB2, t.b2),
        );
    }
}
