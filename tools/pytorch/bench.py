"""What PyTorch takes on the same GPU for what `wgslab bench --gpu` measures.

    python3 bench.py [--only products|forward|networks|writing|training] [--epochs N] [--mnist FOLDER]

It prints JSON. The network, the recipe of the training and the way of measuring
are wgslab's: the smallest of many runs, upload and readback included. FOLDER
holds MNIST's four .gz files; without it the training is left out.
"""

import argparse
import gzip
import json
import math
import pathlib
import sys
import time

import numpy
import torch

INPUTS, HIDDEN, OUTPUTS = 784, 128, 10
MEAN, STDDEV = 0.1307, 0.3081
SIZES = [1024, 2048, 4096]
BATCHES = [1, 100, 10_000]
RUNS = 200
EPOCHS, BATCH, RATE, HELD_OUT = 120, 250, 2e-3, 5000
TURN, SIZE, SLANT, SHIFT, RUBBER = math.radians(10), 0.1, 0.15, 1.0, 2.0


def products():
    """Seconds of one n × n product by cuBLAS in fp32, among several in a row."""
    found = []
    for n in SIZES:
        a, b = (torch.rand(n, n, device="cuda") * 2 - 1 for _ in range(2))
        in_a_row = max(4, 2 * 4096 // n)
        seconds = []
        for _ in range(12):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            for _ in range(in_a_row):
                torch.mm(a, b)
            end.record()
            torch.cuda.synchronize()
            seconds.append(begin.elapsed_time(end) / 1000 / in_a_row)
        found.append({"n": n, "seconds": min(seconds), "tflops": 2 * n**3 / min(seconds) / 1e12})
    return found


class Network:
    """The course's network with random weights; how long it takes depends on none."""

    def __init__(self):
        def normal(rows, columns):
            return torch.randn(rows, columns, device="cuda") * math.sqrt(2 / rows)

        self.w1, self.b1 = normal(INPUTS, HIDDEN), torch.zeros(HIDDEN, device="cuda")
        self.w2, self.b2 = normal(HIDDEN, OUTPUTS), torch.zeros(OUTPUTS, device="cuda")

    def parameters(self):
        return [self.w1, self.b1, self.w2, self.b2]

    def scores(self, x):
        hidden = torch.relu(torch.addmm(self.b1, x, self.w1))
        return torch.addmm(self.b2, hidden, self.w2)

    def probabilities(self, pixels):
        x = (pixels.float() / 255 - MEAN) / STDDEV
        return torch.softmax(self.scores(x), 1)


class Filters:
    """The network with filters: two convolutions with relu and max-pool, and a linear layer."""

    def __init__(self):
        self.w1, self.b1 = torch.randn(16, 1, 3, 3, device="cuda") / 3, torch.zeros(16, device="cuda")
        self.w2, self.b2 = torch.randn(32, 16, 3, 3, device="cuda") / 12, torch.zeros(32, device="cuda")
        self.w3, self.b3 = torch.randn(1568, OUTPUTS, device="cuda") / 40, torch.zeros(OUTPUTS, device="cuda")

    def probabilities(self, pixels):
        x = ((pixels.float() / 255 - MEAN) / STDDEV).view(-1, 1, 28, 28)
        x = torch.max_pool2d(torch.relu(torch.conv2d(x, self.w1, self.b1, padding=1)), 2)
        x = torch.max_pool2d(torch.relu(torch.conv2d(x, self.w2, self.b2, padding=1)), 2)
        return torch.softmax(torch.addmm(self.b3, x.flatten(1), self.w3), 1)


class Attention:
    """The network that attends: 16 patches, tokens of 32, two layers of 4 heads, 96 hidden."""

    def __init__(self):
        def linear(inputs, outputs):
            return torch.randn(outputs, inputs, device="cuda") / math.sqrt(inputs), torch.zeros(outputs, device="cuda")

        def norm():
            return torch.ones(32, device="cuda"), torch.zeros(32, device="cuda")

        self.tokens, self.positions = linear(49, 32), torch.randn(16, 32, device="cuda") / 10
        self.layers = [(norm(), linear(32, 96), linear(32, 32), norm(), linear(32, 96), linear(96, 32)) for _ in range(2)]
        self.norm, self.scores = norm(), linear(512, OUTPUTS)

    def probabilities(self, pixels):
        linear, layer_norm = torch.nn.functional.linear, torch.nn.functional.layer_norm
        x = (pixels.float() / 255 - MEAN) / STDDEV
        x = x.view(-1, 4, 7, 4, 7).transpose(2, 3).reshape(-1, 16, 49)
        x = linear(x, *self.tokens) + self.positions
        for norm1, qkv, out, norm2, up, down in self.layers:
            q, k, v = linear(layer_norm(x, (32,), *norm1), *qkv).view(-1, 16, 3, 4, 8).permute(2, 0, 3, 1, 4)
            mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v)
            x = x + linear(mixed.transpose(1, 2).reshape(-1, 16, 32), *out)
            hidden = torch.nn.functional.gelu(linear(layer_norm(x, (32,), *norm2), *up), approximate="tanh")
            x = x + linear(hidden, *down)
        return torch.softmax(linear(layer_norm(x, (32,), *self.norm).flatten(1), *self.scores), 1)


class Letters:
    """The language model: 4 layers of 4 heads, with a cache of keys and values, one letter at a time."""

    MOST, WIDTH, LAYERS, HEADS, HIDDEN_LAYER, ALPHABET = 1024, 96, 4, 4, 384, 75

    def __init__(self, dtype):
        def linear(inputs, outputs):
            weights = torch.randn(outputs, inputs, device="cuda") / math.sqrt(inputs)
            return weights.to(dtype), torch.zeros(outputs, device="cuda", dtype=dtype)

        def norm():
            return torch.ones(width, device="cuda", dtype=dtype), torch.zeros(width, device="cuda", dtype=dtype)

        width, self.depth = self.WIDTH, self.WIDTH // self.HEADS
        self.table = (torch.randn(self.ALPHABET, width, device="cuda") / 50).to(dtype)
        self.layers = [(norm(), linear(width, 3 * width), linear(width, width), norm(), linear(width, self.HIDDEN_LAYER), linear(self.HIDDEN_LAYER, width))
                       for _ in range(self.LAYERS)]
        self.caches = torch.zeros(self.LAYERS, 2, self.HEADS, self.MOST, self.depth, device="cuda", dtype=dtype)
        self.norm = norm()
        self.random = torch.rand(self.MOST, device="cuda")
        self.places = torch.arange(self.MOST, device="cuda")
        self.slopes = torch.tensor([2.0 ** (-8 * (head + 1) / self.HEADS) for head in range(self.HEADS)], device="cuda").view(-1, 1)
        self.letter, self.place = torch.zeros(1, dtype=torch.long, device="cuda"), torch.zeros(1, dtype=torch.long, device="cuda")

    def step(self):
        """Runs the network over the newest letter and draws the next; only tensors change, so that a graph holds it."""
        linear, layer_norm = torch.nn.functional.linear, torch.nn.functional.layer_norm
        width, back = (self.WIDTH,), self.place - self.places
        penalty = torch.where(back >= 0, -self.slopes * back, -math.inf).to(self.table.dtype)
        x = self.table[self.letter]
        for (norm1, qkv, out, norm2, up, down), (keys, values) in zip(self.layers, self.caches):
            q, k, v = linear(layer_norm(x, width, *norm1), *qkv).view(3, self.HEADS, 1, self.depth)
            keys.index_copy_(1, self.place, k)
            values.index_copy_(1, self.place, v)
            mixed = torch.nn.functional.scaled_dot_product_attention(q[None], keys[None], values[None], attn_mask=penalty.view(1, self.HEADS, 1, -1))
            x = x + linear(mixed.reshape(1, -1), *out)
            hidden = torch.nn.functional.gelu(linear(layer_norm(x, width, *norm2), *up), approximate="tanh")
            x = x + linear(hidden, *down)
        scores = layer_norm(x, width, *self.norm) @ self.table.T
        sums = torch.softmax(scores.float(), 1).cumsum(1)
        self.letter.copy_((sums <= self.random[self.place]).sum(1).clamp(max=self.ALPHABET - 1))
        self.place += 1


@torch.inference_mode()
def writing():
    """Seconds for a letter after so many: read back each time, and after 20 letters."""
    found = []
    for dtype in (torch.float16, torch.float32):
        model = Letters(dtype)
        graph = captured(model.step)
        for letters in [10, 20, 50, 100, 200, 500, 1000]:
            def once(run):
                model.place.fill_(letters)
                run()
                return model.letter.item()

            def many():
                model.place.fill_(letters)
                for _ in range(20):
                    graph.replay()
                return model.letter.item()

            found.append({"dtype": str(dtype), "letters": letters, "eager": smallest(lambda: once(model.step)),
                          "graph": smallest(lambda: once(graph.replay)), "many": smallest(many) / 20})
    return found


def smallest(run):
    for _ in range(20):
        run()
    seconds = []
    for _ in range(RUNS):
        started = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


@torch.inference_mode()
def forward(network):
    """Seconds of a forward pass, from the host's bytes to the host's probabilities."""
    found = []
    for batch in BATCHES:
        pixels = torch.randint(0, 256, (batch, INPUTS), dtype=torch.uint8)
        locked = pixels.pin_memory()
        found.append({
            "batch": batch,
            "eager": smallest(lambda: network.probabilities(pixels.cuda()).cpu()),
            "eager_pinned": smallest(lambda: network.probabilities(locked.cuda(non_blocking=True)).cpu()),
            "graph": smallest(graphed(network, pixels)),
        })
    return found


def graphed(network, pixels):
    """The same as one CUDA graph, with buffers that stay and memory that is page-locked."""
    source, x = pixels.pin_memory(), pixels.cuda()
    out = torch.empty(len(pixels), OUTPUTS).pin_memory()

    def once():
        x.copy_(source, non_blocking=True)
        out.copy_(network.probabilities(x), non_blocking=True)

    graph = captured(once)

    def run():
        source.copy_(pixels)
        graph.replay()
        torch.cuda.synchronize()

    return run


def captured(step):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph


def read_idx(path):
    data = gzip.decompress(path.read_bytes())
    dimensions = data[3]
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(dimensions)]
    return torch.from_numpy(numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * dimensions).copy()).view(*shape)


def splines():
    """28 × 7: how much each knot of the rubber sheet counts for each pixel."""
    weights = torch.zeros(28, 7)
    for pixel in range(28):
        cell, t = pixel // 7, pixel % 7 / 7
        s = 1 - t
        for i, value in enumerate([s**3, 3 * t**3 - 6 * t * t + 4, 3 * s**3 - 6 * s * s + 4, t**3]):
            weights[pixel, cell + i] = value / 6
    return weights.cuda()


class Trainer:
    """A step of the training in tensors that stay where they are, so that a graph holds it."""

    def __init__(self, images, labels, epochs):
        self.images, self.labels = images[:-HELD_OUT], labels[:-HELD_OUT]
        self.held_out, self.truth = images[-HELD_OUT:], labels[-HELD_OUT:]
        self.network = Network()
        self.steps_per_epoch = len(self.images) // BATCH
        self.steps = epochs * self.steps_per_epoch
        self.done = torch.zeros((), dtype=torch.long, device="cuda")
        self.order = torch.arange(len(self.images), device="cuda")
        self.loss = torch.zeros((), device="cuda")
        self.rate = torch.tensor(RATE, device="cuda")
        for parameter in self.network.parameters():
            parameter.requires_grad_()
            parameter.grad = torch.zeros_like(parameter)
        self.adam = torch.optim.Adam(self.network.parameters(), lr=self.rate, capturable=True, fused=True)
        self.splines = splines()
        line = torch.arange(28.0, device="cuda") - 13.5
        self.grid = torch.stack([line.repeat(28), line.repeat_interleave(28)], 1)  # x, y

    def distorted(self, images):
        n = len(images)
        random = torch.rand(n, 6, device="cuda") * 2 - 1
        turn, width, height = TURN * random[:, 0], 1 + SIZE * random[:, 1], 1 + SIZE * random[:, 2]
        slant, shift = SLANT * random[:, 3], SHIFT * random[:, 4:6]
        c, s = torch.cos(turn), torch.sin(turn)
        affine = torch.stack([c * width, c * slant - s * height, s * width, s * slant + c * height], 1).view(n, 2, 2)
        arrows = RUBBER * torch.randn(n, 2, 7, 7, device="cuda")
        push = (self.splines @ arrows @ self.splines.T).view(n, 2, 784).transpose(1, 2)
        place = self.grid @ affine.transpose(1, 2) + shift[:, None] + push
        x = torch.nn.functional.grid_sample(
            images.view(n, 1, 28, 28).float(), (place / 13.5).view(n, 28, 28, 2), align_corners=True)
        return (x.view(n, INPUTS) / 255 - MEAN) / STDDEV

    def gradients(self):
        first = self.done % self.steps_per_epoch * BATCH
        chosen = self.order[first + torch.arange(BATCH, device="cuda")]
        self.rate.copy_(RATE * (0.5 + 0.5 * torch.cos(math.pi * self.done / self.steps)))
        self.done += 1
        with torch.no_grad():
            x = self.distorted(self.images[chosen])
        loss = torch.nn.functional.cross_entropy(self.network.scores(x), self.labels[chosen])
        for parameter, gradient in zip(self.network.parameters(), torch.autograd.grad(loss, self.network.parameters())):
            parameter.grad.copy_(gradient)
        self.loss += loss.detach()

    def right(self, images, labels):
        with torch.inference_mode():
            return (self.network.probabilities(images.view(-1, INPUTS)).argmax(1) == labels).float().mean().item()


def training(folder, epochs, form):
    """Seconds of the whole training; making the step ready (compiling, capturing) is counted apart."""
    torch.manual_seed(1)
    images, labels = (read_idx(folder / f"train-{name}.gz").cuda() for name in ("images-idx3-ubyte", "labels-idx1-ubyte"))
    trainer = Trainer(images, labels.long(), epochs)
    started = time.perf_counter()
    gradients = torch.compile(trainer.gradients) if form == "compiled" else trainer.gradients

    def step():
        gradients()
        trainer.adam.step()

    kept = [p.detach().clone() for p in trainer.network.parameters()]
    run = step if form == "eager" else captured(step).replay
    with torch.no_grad():
        for parameter, value in zip(trainer.network.parameters(), kept):
            parameter.copy_(value)
        for state in trainer.adam.state.values():
            for value in state.values():
                value.zero_()
    trainer.done.zero_()
    torch.cuda.synchronize()
    ready = time.perf_counter() - started
    started = time.perf_counter()
    best, weights = -1.0, None
    for _ in range(epochs):
        trainer.order.copy_(torch.randperm(len(trainer.order), device="cuda"))
        trainer.loss.zero_()
        for _ in range(trainer.steps_per_epoch):
            run()
        trainer.loss.item()
        held_out = trainer.right(trainer.held_out, trainer.truth)
        if held_out >= best:
            best, weights = held_out, [p.detach().clone() for p in trainer.network.parameters()]
    torch.cuda.synchronize()
    seconds = time.perf_counter() - started
    with torch.no_grad():
        for parameter, value in zip(trainer.network.parameters(), weights):
            parameter.copy_(value)
    test, truth = (read_idx(folder / f"t10k-{name}.gz").cuda() for name in ("images-idx3-ubyte", "labels-idx1-ubyte"))
    return {"form": form, "epochs": epochs, "seconds": seconds, "ready_seconds": ready,
            "held_out": best, "test": trainer.right(test, truth)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["products", "forward", "networks", "writing", "training"])
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--mnist", type=pathlib.Path)
    asked = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    report = {"adapter": torch.cuda.get_device_name(), "torch": torch.__version__}
    if asked.only in (None, "products"):
        report["products"] = products()
    if asked.only in (None, "forward"):
        report["forward"] = forward(Network())
    if asked.only in (None, "networks"):
        report["networks"] = {"conv": forward(Filters()), "attention": forward(Attention())}
    if asked.only in (None, "writing"):
        report["writing"] = writing()
    if asked.mnist and asked.only in (None, "training"):
        report["training"] = []
        for form in ["eager", "graph", "compiled"]:
            try:
                report["training"].append(training(asked.mnist, asked.epochs if form != "eager" else min(asked.epochs, 3), form))
            except Exception as problem:  # a form that this machine cannot do is said, and the others run
                report["training"].append({"form": form, "error": str(problem)[:300]})
    json.dump(report, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
