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
