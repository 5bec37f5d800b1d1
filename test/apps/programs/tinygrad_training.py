# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tinygrad: matrix product, convolution, attention, sort, and a small
transformer trained for three steps. It generates some 180 kernels, builds each
from source, reads the binary back and launches from the binary.

tinygrad's own generator makes the numbers, from a fixed seed: every driver
prints the same ones."""

from tinygrad import Context, Device, Tensor, nn

assert Device.DEFAULT == "CL", Device.DEFAULT


class Block:
    """Causal self-attention and a two-layer perceptron, each added to its input."""

    def __init__(self, width, heads):
        self.heads = heads
        self.norm_attention, self.norm_perceptron = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query_key_value, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def __call__(self, x):
        batch, length, width = x.shape
        split = self.query_key_value(self.norm_attention(x))
        split = split.reshape(batch, length, 3, self.heads, width // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4).chunk(3)
        seen = query[0].scaled_dot_product_attention(key[0], value[0], is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(self.up(self.norm_perceptron(x)).gelu())


class Model:
    def __init__(self, symbols=64, width=32):
        self.embed = nn.Embedding(symbols, width)
        self.blocks = [Block(width, heads=2) for _ in range(2)]
        self.out = nn.Linear(width, symbols)

    def __call__(self, symbols):
        x = self.embed(symbols)
        for block in self.blocks:
            x = block(x)
        return self.out(x)


def operations():
    print("product %.1f" % (Tensor.rand(256, 256) @ Tensor.rand(256, 256)).sum().item())
    print("convolution %.1f" % nn.Conv2d(3, 8, 3)(Tensor.rand(4, 3, 32, 32)).relu().sum().item())
    print("softmax %.6f" % Tensor.rand(64, 1000).softmax().max().item())
    q = Tensor.rand(2, 4, 64, 32)
    print("attention %.1f" % q.scaled_dot_product_attention(q, q, is_causal=True).sum().item())
    ordered = Tensor.rand(500).sort()[0].tolist()
    assert ordered == sorted(ordered), "sort: not in order"
    print("sort %.6f %.6f" % (ordered[0], ordered[-1]))


def training():
    model = Model()
    optimizer = nn.optim.Adam(nn.state.get_parameters(model), lr=1e-3)
    with Context(TRAINING=1):
        for _ in range(3):
            symbols = Tensor.randint(4, 17, high=64)
            optimizer.zero_grad()
            loss = model(symbols[:, :-1]).sparse_categorical_crossentropy(symbols[:, 1:])
            loss.backward()
            optimizer.step()
            print("loss %.5f" % loss.item())


Tensor.manual_seed(1)
operations()
training()
