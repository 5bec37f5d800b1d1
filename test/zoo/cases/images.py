# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coordinates outside of an image: reads without a sampler, and writes. With a
sampler coordinates outside are legal, and twins that stay silent, unless it has
no addressing mode."""

import struct

from model import Case, Expected, Launch, float32, image, int32, out, sampler

# kind: (OpenCL C's type, how coordinates are given, size)
SHAPES = {
    "1d": ("image1d_t", "x", (8,)),
    "1d_buffer": ("image1d_buffer_t", "x", (9,)),
    "1d_array": ("image1d_array_t", "(int2)(x, y)", (8, 3)),
    "2d": ("image2d_t", "(int2)(x, y)", (8, 5)),
    "2d_array": ("image2d_array_t", "(int4)(x, y, z, 0)", (8, 5, 3)),
    "3d": ("image3d_t", "(int4)(x, y, z, 0)", (8, 5, 3)),
}
TYPES = {"float": ("f", "float4"), "int": ("i", "int4"), "uint": ("ui", "uint4")}
AWAY = {"before": -1, "past": 0, "far": 1000}


def case_of(kind, writes, axis, direction, type, both=False):
    type_name, coordinates, size = SHAPES[kind]
    letter, vector = TYPES[type]
    good = tuple(extent - 1 for extent in size)
    bad = list(good)
    bad[axis] = -1 if direction == "before" else size[axis] + AWAY[direction]
    access = "read_write" if both else "write_only" if writes else "read_only"
    pragma = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n" if kind == "3d" and writes else ""
    line = (f"write_image{letter}(img, {coordinates}, ({vector})(3)); /*BUG*/\n  *out = ({vector})(1);" if writes
            else f"*out = read_image{letter}(img, {coordinates}); /*BUG*/")
    text = f"""{pragma}kernel void $K({access} {type_name} img, global {vector} *out, int x, int y, int z) {{
  {line}
}}
"""
    def launch(at, value):
        packed = struct.pack("<4f" if type == "float" else "<4i", *[value] * 4)
        at = (*at, 0, 0)[:3]
        flags = "rw" if both else "w" if writes else "r"
        return Launch((image(kind, *(*size, 0, 0)[:3], flags=flags, type=type), out(), *map(int32, at)),
                      ((1, 0, packed),))

    word = "write" if writes else "read"
    expected = Expected(f"out_of_bounds_image_{word}", word, name="img", coordinates=tuple(bad), image_size=size)
    name = f"image_{kind}_{word}{'_both' if both else ''}_{'xyz'[axis]}_{direction}_{type}"
    axes = (("memory", f"image_{kind}"), ("access", f"{word}_image"), ("direction", direction), ("scalar", type))
    return Case(name, text, launch(bad, 1 if writes else 0), launch(good, 1 if writes else 7), expected,
                frozenset({"read_write_images"} if both else ()), axes, "images")


def sampled():
    """A sampled read beside the bad one: it is far outside, and legal."""
    text = """kernel void $K(read_only image2d_t img, global float4 *out, int x, int y) {
  const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  float4 v = read_imagef(img, edge, (int2)(x + 100, y - 100));
  *out = v + read_imagef(img, (int2)(x, y)); /*BUG*/
}
"""
    def launch(x, value):
        return Launch((image("2d", 8, 5, flags="r"), out(), int32(x), int32(4)), ((1, 0, struct.pack("<4f",
                                                                                                     *[value] * 4)),))
    return Case("image_2d_beside_sampled", text, launch(8, 7), launch(7, 14),
                Expected("out_of_bounds_image_read", "read", name="img", coordinates=(8, 4), image_size=(8, 5)),
                axes=(("memory", "image_2d"), ("access", "read_image"), ("direction", "past")), family="images")


def without_addressing():
    """A sampler without an addressing mode: coordinates outside are undefined."""
    text = """constant sampler_t $K_s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
kernel void $K(read_only image2d_t img, global float4 *out, int x, int y) {
  *out = read_imagef(img, $K_s, (int2)(x, y)); /*BUG*/
}
"""
    def launch(y, value):
        return Launch((image("2d", 8, 5, flags="r"), out(), int32(7), int32(y)), ((1, 0, struct.pack("<4f",
                                                                                                     *[value] * 4)),))
    return Case("image_2d_without_addressing", text, launch(1 << 19, 0), launch(4, 7),
                Expected("out_of_bounds_image_read", "read", name="img", coordinates=(7, 1 << 19), image_size=(8, 5)),
                axes=(("memory", "image_2d"), ("access", "read_image"), ("direction", "far")), family="images")


def through_argument(real):
    """The same with a sampler that is an argument. With another one the coordinates are legal."""
    text = """kernel void $K(read_only image2d_t img, sampler_t s, global float4 *out, $T x, $T y) {
  *out = read_imagef(img, s, ($T2)(x, y)); /*BUG*/
}
""".replace("$T", "float" if real else "int")
    number = float32 if real else int32

    def launch(addressing, value):
        return Launch((image("2d", 8, 5, flags="r"), sampler(addressing, "nearest"), out(), number(8), number(4)),
                      ((2, 0, struct.pack("<4f", *[value] * 4)),))
    return Case(f"image_2d_sampler_argument_{'real' if real else 'int'}", text, launch("none", 0), launch("edge", 7),
                Expected("out_of_bounds_image_read", "read", name="img", coordinates=(8, 4), image_size=(8, 5)),
                axes=(("memory", "image_2d"), ("access", "read_image"), ("direction", "past")), family="images")


def real_coordinates(name, mode, bad, good, texel):
    """Of a constant sampler: which texels count depends on its filter."""
    text = f"""constant sampler_t $K_s = {mode} | CLK_ADDRESS_NONE;
kernel void $K(read_only image2d_t img, global float4 *out, float x, float y) {{
  *out = read_imagef(img, $K_s, (float2)(x, y)); /*BUG*/
}}
"""
    def launch(at, value):
        return Launch((image("2d", 8, 5, flags="r"), out(), *map(float32, at)),
                      ((1, 0, struct.pack("<4f", *[value] * 4)),))
    return Case(f"image_2d_real_{name}", text, launch(bad, 0), launch(good, 7),
                Expected("out_of_bounds_image_read", "read", name="img", coordinates=texel, image_size=(8, 5)),
                axes=(("memory", "image_2d"), ("access", "read_image"),
                      ("direction", "before" if -1 in texel else "past")), family="images")


def sampled_outside():
    nearest = "CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST"
    linear = "CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_LINEAR"
    normalized = "CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_NEAREST"
    return [through_argument(False), through_argument(True),
            real_coordinates("nearest", nearest, (8.0, 0.0), (7.9, 0.0), (8, 0)),
            real_coordinates("nearest_before", nearest, (3.5, -0.25), (3.5, 0.25), (3, -1)),
            real_coordinates("linear", linear, (7.75, 2.5), (7.5, 2.5), (8, 3)),
            real_coordinates("linear_before", linear, (2.5, 0.25), (2.5, 0.5), (3, -1)),
            real_coordinates("normalized", normalized, (0.5, 1.0), (0.5, 0.9375), (4, 5))]


def cases():
    types, made = list(TYPES), [sampled(), without_addressing(), *sampled_outside()]
    for kind, (_, _, size) in SHAPES.items():
        for axis in range(len(size)):
            for writes in False, True:
                for direction in "before", "past":
                    type = types[len(made) % 3]
                    if writes and len(size) == 3:
                        type = "float"  # PoCL 6.0 lacks these writes of integers when it is given SPIR-V
                    made.append(case_of(kind, writes, axis, direction, type))
    for writes in False, True:
        made.append(case_of("2d", writes, 0, "far", "float"))
        made.append(case_of("2d", writes, 1, "past", "uint", both=True))
        made.append(case_of("1d", writes, 0, "before", "int", both=True))
    return made
