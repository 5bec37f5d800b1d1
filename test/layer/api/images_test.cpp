//===- test/layer/api/images_test.cpp - images and samplers ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstring>

using namespace warpsan::test;

namespace {

const cl_image_format FloatRGBA = {CL_RGBA, CL_FLOAT};
const cl_image_format ByteRGBA = {CL_RGBA, CL_UNORM_INT8};
const cl_image_format UIntR = {CL_R, CL_UNSIGNED_INT32};

class Images : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (!deviceNumber<cl_bool>(Device, CL_DEVICE_IMAGE_SUPPORT))
      GTEST_SKIP() << "the device has no images";
  }

  Mem image(cl_mem_object_type Type, const cl_image_format &Format,
            size_t Width, size_t Height, size_t Depth,
            cl_mem_flags Flags = CL_MEM_READ_WRITE) {
    cl_image_desc Desc = {};
    Desc.image_type = Type;
    Desc.image_width = Width;
    Desc.image_height = Height;
    Desc.image_depth = Depth;
    cl_int Error = CL_SUCCESS;
    Mem Out(clCreateImage(Ctx, Flags, &Format, &Desc, nullptr, &Error));
    must(Error, "clCreateImage");
    return Out;
  }

  template <typename T>
  void write(cl_mem Image, const std::vector<T> &Texels, size_t W, size_t H,
             size_t D) {
    size_t Origin[3] = {0, 0, 0}, Region[3] = {W, H, D};
    must(clEnqueueWriteImage(Q, Image, CL_TRUE, Origin, Region, 0, 0,
                             Texels.data(), 0, nullptr, nullptr),
         "clEnqueueWriteImage");
  }
  template <typename T>
  std::vector<T> readImage(cl_mem Image, size_t W, size_t H, size_t D,
                           size_t PerTexel) {
    size_t Origin[3] = {0, 0, 0}, Region[3] = {W, H, D};
    std::vector<T> Out(W * H * D * PerTexel);
    must(clEnqueueReadImage(Q, Image, CL_TRUE, Origin, Region, 0, 0, Out.data(),
                            0, nullptr, nullptr),
         "clEnqueueReadImage");
    return Out;
  }
};

TEST_F(Images, OneDimension) {
  Program P = build(R"(
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void flip(read_only image1d_t in, write_only image1d_t out) {
      int x = get_global_id(0), w = get_image_width(in);
      write_imageui(out, w - 1 - x, read_imageui(in, nearest, x));
    })");
  Kernel K = kernel(P, "flip");
  std::vector<cl_uint> In(32);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<cl_uint>(I * I);
  Mem Src = image(CL_MEM_OBJECT_IMAGE1D, UIntR, 32, 0, 0);
  Mem Dst = image(CL_MEM_OBJECT_IMAGE1D, UIntR, 32, 0, 0);
  write(Src, In, 32, 1, 1);
  setArgs(K, Src, Dst);
  ASSERT_OK(launch(Q, K, {{32}}));
  std::vector<cl_uint> Want(In.rbegin(), In.rend());
  EXPECT_EQ(Want, readImage<cl_uint>(Dst, 32, 1, 1, 1));
}

TEST_F(Images, TwoDimensions) {
  Program P = build(R"(
    kernel void transpose(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(out, at.yx, read_imagef(in, s, at));
    })");
  Kernel K = kernel(P, "transpose");
  constexpr size_t W = 16, H = 8;
  std::vector<cl_uchar> In(W * H * 4);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<cl_uchar>(I * 7);
  Mem Src = image(CL_MEM_OBJECT_IMAGE2D, ByteRGBA, W, H, 0);
  Mem Dst = image(CL_MEM_OBJECT_IMAGE2D, ByteRGBA, H, W, 0);
  write(Src, In, W, H, 1);
  cl_int Error = CL_SUCCESS;
  Sampler Nearest(clCreateSamplerWithProperties(
      Ctx,
      (const cl_sampler_properties[]){CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE,
                                      CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST,
                                      CL_SAMPLER_ADDRESSING_MODE,
                                      CL_ADDRESS_CLAMP_TO_EDGE, 0},
      &Error));
  ASSERT_OK(Error);
  setArgs(K, Src, Dst, Nearest);
  ASSERT_OK(launch(Q, K, {{W, H}, {8, 4}}));
  auto Got = readImage<cl_uchar>(Dst, H, W, 1, 4);
  for (size_t Y = 0; Y < H; ++Y)
    for (size_t X = 0; X < W; ++X)
      ASSERT_EQ(0, std::memcmp(&In[4 * (Y * W + X)], &Got[4 * (X * H + Y)], 4))
          << "texel " << X << ", " << Y;
}

TEST_F(Images, ThreeDimensions) {
  Program P = build(R"(
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    kernel void sums(read_only image3d_t in, global float *out) {
      int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
      float4 t = read_imagef(in, nearest, at);
      int w = get_image_width(in), h = get_image_height(in);
      out[(at.z * h + at.y) * w + at.x] = t.x + 2 * t.y + 4 * t.z + 8 * t.w + get_image_depth(in);
    })");
  Kernel K = kernel(P, "sums");
  constexpr size_t W = 6, H = 5, D = 4;
  std::vector<cl_float> In(W * H * D * 4);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<cl_float>(I % 97);
  Mem Src = image(CL_MEM_OBJECT_IMAGE3D, FloatRGBA, W, H, D, CL_MEM_READ_ONLY);
  write(Src, In, W, H, D);
  Mem Out = buffer(W * H * D * sizeof(cl_float));
  setArgs(K, Src, Out);
  ASSERT_OK(launch(Q, K, {{W, H, D}}));
  auto Got = read<cl_float>(Out, W * H * D);
  for (size_t I = 0; I < Got.size(); ++I)
    ASSERT_EQ(In[4 * I] + 2 * In[4 * I + 1] + 4 * In[4 * I + 2] +
                  8 * In[4 * I + 3] + D,
              Got[I]);
}

TEST_F(Images, SamplersMayChangeBetweenLaunches) {
  // Outside the image: the edge's texel with one sampler, the border color
  // with the other.
  Program P = build(R"(
    kernel void beyond(read_only image2d_t in, sampler_t s, global float *out) {
      out[get_global_id(0)] = read_imagef(in, s, (int2)(-3, (int)get_global_id(0))).x;
    })");
  Kernel K = kernel(P, "beyond");
  std::vector<cl_float> In(4 * 4 * 4, 2.5f);
  Mem Src = image(CL_MEM_OBJECT_IMAGE2D, FloatRGBA, 4, 4, 0);
  write(Src, In, 4, 4, 1);
  Mem Out = buffer(4 * sizeof(cl_float));
  for (cl_addressing_mode Mode :
       {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE}) {
    cl_int Error = CL_SUCCESS;
    const cl_sampler_properties List[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          CL_FALSE,
                                          CL_SAMPLER_FILTER_MODE,
                                          CL_FILTER_NEAREST,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          Mode,
                                          0};
    Sampler S(clCreateSamplerWithProperties(Ctx, List, &Error));
    ASSERT_OK(Error);
    setArgs(K, Src, S, Out);
    ASSERT_OK(launch(Q, K, {{4}}));
    EXPECT_EQ(std::vector<cl_float>(4, Mode == CL_ADDRESS_CLAMP ? 0.0f : 2.5f),
              read<cl_float>(Out, 4));
  }
}

TEST_F(Images, LinearFilter) {
  Program P = build(R"(
    const sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    kernel void middle(read_only image2d_t in, global float *out) {
      out[get_global_id(0)] = read_imagef(in, linear, (float2)(0.5f, 0.5f)).x;
    })");
  Kernel K = kernel(P, "middle");
  std::vector<cl_float> In(2 * 2 * 4, 0);
  In[0] = 1, In[4] = 2, In[8] = 3, In[12] = 6;
  Mem Src = image(CL_MEM_OBJECT_IMAGE2D, FloatRGBA, 2, 2, 0);
  write(Src, In, 2, 2, 1);
  Mem Out = buffer(sizeof(cl_float));
  setArgs(K, Src, Out);
  ASSERT_OK(launch(Q, K, {{1}}));
  EXPECT_NEAR(3.0f, read<cl_float>(Out, 1)[0], 0.02f);
}

TEST_F(Images, Image1DBuffer) {
  Program P = build(R"(
    kernel void twice(read_only image1d_buffer_t in, global uint *out) {
      int x = get_global_id(0);
      out[x] = 2 * read_imageui(in, x).x;
    })");
  Kernel K = kernel(P, "twice");
  std::vector<cl_uint> In(64);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<cl_uint>(I + 5);
  Mem Store = bufferOf(In);
  cl_int Error = CL_SUCCESS;
  Mem Src = rowOf(Store, UIntR, In.size(), Error, CL_MEM_READ_ONLY);
  ASSERT_OK(Error);
  Mem Out = buffer(In.size() * sizeof(cl_uint));
  setArgs(K, Src, Out);
  ASSERT_OK(launch(Q, K, {{In.size()}}));
  for (cl_uint &Each : In)
    Each *= 2;
  EXPECT_EQ(In, read<cl_uint>(Out, In.size()));
}

TEST_F(Images, Array) {
  Program P = build(R"(
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    kernel void layers(read_only image2d_array_t in, global uint *out) {
      int z = get_global_id(0);
      out[z] = read_imageui(in, nearest, (int4)(1, 2, z, 0)).x + 1000 * get_image_array_size(in);
    })");
  Kernel K = kernel(P, "layers");
  cl_image_desc Desc = {};
  Desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  Desc.image_width = 4;
  Desc.image_height = 4;
  Desc.image_array_size = 3;
  cl_int Error = CL_SUCCESS;
  Mem Src(clCreateImage(Ctx, CL_MEM_READ_ONLY, &UIntR, &Desc, nullptr, &Error));
  ASSERT_OK(Error);
  std::vector<cl_uint> In(4 * 4 * 3);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<cl_uint>(I);
  write(Src, In, 4, 4, 3);
  Mem Out = buffer(3 * sizeof(cl_uint));
  setArgs(K, Src, Out);
  ASSERT_OK(launch(Q, K, {{3}}));
  EXPECT_EQ((std::vector<cl_uint>{3009, 3025, 3041}), read<cl_uint>(Out, 3));
}

} // namespace
