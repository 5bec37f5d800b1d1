# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input files of the programs in rows.py, made where they are needed."""

import hashlib
import os


def write(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def hash_and_words(folder):
    """For the two password programs: an MD5 to find, and words to try."""
    write(folder, "hash.txt", hashlib.md5(b"zzz9").hexdigest() + "\n")
    write(folder, "words", "".join(f"correct horse {n}\n" for n in range(10, 50)))


def save_picture(path, width, height):
    """Gradients, and a grid of sharp edges."""
    import numpy  # installed with the programs
    from PIL import Image

    y, x = numpy.mgrid[0:height, 0:width]
    grid = ((x // 20 + y // 20) % 2) * 80
    pixels = numpy.stack([x * 255 // width, y * 255 // height, grid], axis=-1)
    Image.fromarray(pixels.astype(numpy.uint8)).save(path)


def picture(folder):
    save_picture(os.path.join(folder, "in.png"), 320, 240)


def gray_picture(folder):
    from PIL import Image

    picture(folder)
    with Image.open(os.path.join(folder, "in.png")) as colored:
        colored.convert("L").save(os.path.join(folder, "in.tif"))


def photograph(folder):
    save_picture(os.path.join(folder, "in.jpg"), 640, 480)


def raw_video(folder, width=320, height=240, frames=20):
    """YUV 4:2:0: a bright square that moves over a gradient; no color."""
    import numpy

    y, x = numpy.mgrid[0:height, 0:width]
    gray = numpy.full(width * height // 2, 128, numpy.uint8)
    with open(os.path.join(folder, "in.yuv"), "wb") as file:
        for frame in range(frames):
            inside = (abs(x - 60 - 8 * frame) < 30) & (abs(y - 120) < 30)
            file.write(numpy.where(inside, 230, x * 200 // width).astype(numpy.uint8).tobytes())
            file.write(gray.tobytes())


def leela_network(folder, filters=16, blocks=2):
    """A random network for leela-zero: version 1 of its text format, one line a
    layer's weights, biases, and mean and variance of its batch norm."""
    import numpy

    random = numpy.random.default_rng(1)
    board, planes = 19 * 19, 18
    lines = ["1"]

    def numbers(values):
        lines.append(" ".join(f"{value:.5f}" for value in values))

    def weights(inputs, outputs, area=1):
        numbers(random.normal(0, (inputs * area)**-0.5, inputs * outputs * area))

    def convolution(inputs, outputs, area):
        weights(inputs, outputs, area)
        numbers(numpy.zeros(outputs))
        numbers(numpy.zeros(outputs))
        numbers(numpy.ones(outputs))

    def dense(inputs, outputs):
        weights(inputs, outputs)
        numbers(numpy.zeros(outputs))

    convolution(planes, filters, 9)
    for _ in range(2 * blocks):
        convolution(filters, filters, 9)
    convolution(filters, 2, 1)  # policy
    dense(2 * board, board + 1)
    convolution(filters, 1, 1)  # value
    dense(board, 256)
    dense(256, 1)
    write(folder, "network.txt", "\n".join(lines) + "\n")
