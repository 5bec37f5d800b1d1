//===- test/zoo/host/zoo_host.cpp - launches the kernels of one zoo file --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   zoo_host --device            words that say what the device has
//   zoo_host source F.cl OPTIONS LIST
//   zoo_host il F.spv OPTIONS LIST
//   zoo_host linked F.spv,G.spv OPTIONS LIST    as chipStar does: zoo_session.h
//
// LIST is written by model.py: one launch is the lines from "kernel" to "end".
//
//   kernel NAME
//   range DIMENSIONS G0 G1 G2 L0 L1 L2 [O0 O1 O2]   L0 is 0: of any size
//   buffer SIZE FLAGS HEX              HEX: first bytes, "-" for none; rest 0
//   sub ORIGIN SIZE PARENT FLAGS HEX   HEX: of the part
//   image KIND WIDTH HEIGHT DEPTH FLAGS TYPE
//   sampler ADDRESSING FILTER COORDINATES   none or edge, nearest or linear,
//                                      normalized or texels
//   local SIZE
//   value HEX
//   null
//   memory NAME KIND HEX               KIND: svm; host, device, shared (USM)
//   link NAME AT TO OFFSET             at byte AT of NAME: the address of TO's
//                                      byte OFFSET
//   pointer NAME OFFSET                an argument: such an address
//   packed NAME OFFSET HEX             the same, followed by bytes: a struct
//   variable NAME KIND HEX             memory whose address the kernel
//                                      __chip_var_bind_NAME is given
//   free NAME, free_enqueued NAME
//   free_inside NAME OFFSET            such an address
//   free_linked NAME AT                the address that is at its byte AT
//   free_foreign                       memory that OpenCL did not make
//   free_waiting NAME                  when the launch is enqueued, before it
//                                      can run
//   free_behind NAME                   the same, with clEnqueueSVMFree
//   churn COUNT SIZE                   makes and frees so much
//   holds NAME OFFSET HEX              as `after`, of such memory
//   after ARGUMENT OFFSET HEX          what the buffer has to hold at the end
//   measure ARGUMENT                   print the long at its start
//   show ARGUMENT SIZE                 print what the buffer holds at the end
//   end
//
// It is an ordinary program that knows nothing of WarpSan. It prints lines
// "wrong KERNEL: ...", "measured KERNEL VALUE" and "holds KERNEL ARGUMENT HEX",
// and ends with 1 if a call failed or a result was wrong, after having tried
// all launches.
//
//===----------------------------------------------------------------------===//
#include "zoo_heap.h"
#include "zoo_session.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using zoo::Bytes;
using zoo::must;
using zoo::Session;

Bytes fromHex(const std::string &Text) {
  Bytes Out;
  if (Text != "-")
    for (size_t I = 0; I + 1 < Text.size(); I += 2)
      Out.push_back(static_cast<unsigned char>(
          std::stoul(Text.substr(I, 2), nullptr, 16)));
  return Out;
}

std::string toHex(const Bytes &Data) {
  std::string Out;
  char Digits[3];
  for (unsigned char Byte : Data) {
    std::snprintf(Digits, sizeof(Digits), "%02x", Byte);
    Out += Digits;
  }
  return Out;
}

cl_mem_flags flagsOf(const std::string &Name) {
  if (Name == "r")
    return CL_MEM_READ_ONLY;
  if (Name == "w")
    return CL_MEM_WRITE_ONLY;
  return CL_MEM_READ_WRITE;
}

cl_mem_object_type imageKind(const std::string &Name) {
  static const struct {
    const char *Name;
    cl_mem_object_type Kind;
  } Kinds[] = {{"1d", CL_MEM_OBJECT_IMAGE1D},
               {"1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER},
               {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY},
               {"2d", CL_MEM_OBJECT_IMAGE2D},
               {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY},
               {"3d", CL_MEM_OBJECT_IMAGE3D}};
  for (const auto &Each : Kinds)
    if (Name == Each.Name)
      return Each.Kind;
  throw std::runtime_error("no such image: " + Name);
}

/// One kernel, its arguments and one launch of it.
class Launch {
public:
  Launch(Session &S, std::string KernelName)
      : S(S), Name(std::move(KernelName)), Kernel(S.kernel(Name)),
        Memory(S.Context, S.Device, S.Queue) {
    Memory.LikeChip = S.isLinked();
  }
  Launch(const Launch &) = delete;
  Launch &operator=(const Launch &) = delete;
  ~Launch() {
    // Parts before what they are parts of.
    for (cl_sampler Each : Samplers)
      clReleaseSampler(Each);
    for (auto It = Owned.rbegin(); It != Owned.rend(); ++It)
      clReleaseMemObject(*It);
    clReleaseKernel(Kernel);
  }

  /// One line of the list that is not "kernel" or "end".
  void line(const std::string &Word, std::istringstream &In);
  /// False if a result is wrong.
  bool run();

private:
  struct After {
    size_t Arg;
    size_t Offset;
    Bytes Data;
  };

  void set(size_t Size, const void *Value) {
    must(clSetKernelArg(Kernel, static_cast<cl_uint>(Args.size()), Size, Value),
         "clSetKernelArg");
  }
  void setMemory(cl_mem Memory) {
    set(sizeof(cl_mem), &Memory);
    Args.push_back(Memory);
  }
  cl_mem buffer(cl_mem_flags Flags, size_t Size, Bytes Data);
  void sub(std::istringstream &In);
  bool heapLine(const std::string &Word, std::istringstream &In);
  void image(std::istringstream &In);
  void sampler(std::istringstream &In);
  void bind(const std::string &Variable);
  bool check(const After &Wanted);

  Session &S;
  std::string Name;
  cl_kernel Kernel;
  zoo::Heap Memory;
  struct Held {
    std::string Name;
    size_t Offset;
    Bytes Data;
  };
  std::vector<Held> Holds;
  struct FreedLater {
    std::string Name;
    bool Enqueued;
  };
  std::vector<FreedLater> Freed; ///< while the launch waits
  std::vector<cl_mem> Args;      ///< null for what is no memory object
  std::vector<cl_mem> Owned;
  std::vector<cl_sampler> Samplers;
  std::vector<After> Checks;
  std::vector<size_t> Measured;
  struct Shown {
    size_t Arg;
    size_t Size;
  };
  std::vector<Shown> Shows;
  cl_uint Dimensions = 1;
  std::array<size_t, 3> Global = {1, 1, 1}, Local = {1, 1, 1},
                        Offset = {0, 0, 0};
};

cl_mem Launch::buffer(cl_mem_flags Flags, size_t Size, Bytes Data) {
  Data.resize(Size);
  cl_int Error = CL_SUCCESS;
  cl_mem Out = clCreateBuffer(S.Context, Flags | CL_MEM_COPY_HOST_PTR, Size,
                              Data.data(), &Error);
  must(Error, "clCreateBuffer");
  Owned.push_back(Out);
  return Out;
}

void Launch::sub(std::istringstream &In) {
  size_t Origin = 0, Size = 0, Parent = 0;
  std::string Flags, Hex;
  In >> Origin >> Size >> Parent >> Flags >> Hex;
  // An earlier sub-buffer of the same parent size: the same parent, so that
  // parts can be neighbors.
  Bytes Data = fromHex(Hex);
  Data.resize(Size);
  cl_mem Whole = nullptr;
  for (cl_mem Each : Owned) {
    size_t Has = 0;
    cl_mem Of = nullptr;
    clGetMemObjectInfo(Each, CL_MEM_SIZE, sizeof(Has), &Has, nullptr);
    clGetMemObjectInfo(Each, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(Of), &Of,
                       nullptr);
    if (Has == Parent && !Of)
      Whole = Each;
  }
  if (!Whole)
    Whole = buffer(CL_MEM_READ_WRITE, Parent, {});
  cl_buffer_region Region = {Origin, Size};
  cl_int Error = CL_SUCCESS;
  cl_mem Part = clCreateSubBuffer(
      Whole, flagsOf(Flags), CL_BUFFER_CREATE_TYPE_REGION, &Region, &Error);
  must(Error, "clCreateSubBuffer");
  Owned.push_back(Part);
  must(clEnqueueWriteBuffer(S.Queue, Whole, CL_TRUE, Origin, Size, Data.data(),
                            0, nullptr, nullptr),
       "clEnqueueWriteBuffer");
  setMemory(Part);
}

void Launch::image(std::istringstream &In) {
  std::string Kind, Flags, Type;
  cl_image_desc Shape = {};
  In >> Kind >> Shape.image_width >> Shape.image_height >> Shape.image_depth >>
      Flags >> Type;
  Shape.image_type = imageKind(Kind);
  if (Kind == "1d_array")
    Shape.image_array_size = Shape.image_height;
  if (Kind == "2d_array")
    Shape.image_array_size = Shape.image_depth;
  cl_image_format Format = {CL_RGBA, CL_FLOAT};
  if (Type == "int")
    Format.image_channel_data_type = CL_SIGNED_INT32;
  if (Type == "uint")
    Format.image_channel_data_type = CL_UNSIGNED_INT32;
  if (Kind == "1d_buffer")
    Shape.buffer =
        buffer(CL_MEM_READ_WRITE, Shape.image_width * size_t(16), {});
  cl_int Error = CL_SUCCESS;
  cl_mem Out = clCreateImage(S.Context, flagsOf(Flags), &Format, &Shape,
                             nullptr, &Error);
  must(Error, "clCreateImage");
  Owned.push_back(Out);
  // All pixels are 7.
  const size_t Pixels = Shape.image_width *
                        std::max<size_t>(Shape.image_height, 1) *
                        std::max<size_t>(Shape.image_depth, 1);
  std::vector<cl_float> Floats(Pixels * 4, 7.0F);
  std::vector<cl_int> Ints(Pixels * 4, 7);
  const void *Data = Type == "float" ? static_cast<const void *>(Floats.data())
                                     : static_cast<const void *>(Ints.data());
  const size_t Origin[3] = {0, 0, 0};
  const size_t Region[3] = {Shape.image_width,
                            std::max<size_t>(Shape.image_height, 1),
                            std::max<size_t>(Shape.image_depth, 1)};
  if (Shape.buffer)
    must(clEnqueueWriteBuffer(S.Queue, Shape.buffer, CL_TRUE, 0, Pixels * 16,
                              Data, 0, nullptr, nullptr),
         "clEnqueueWriteBuffer");
  else
    must(clEnqueueWriteImage(S.Queue, Out, CL_TRUE, Origin, Region, 0, 0, Data,
                             0, nullptr, nullptr),
         "clEnqueueWriteImage");
  setMemory(Out);
}

/// Tells the program where its variable is.
void Launch::bind(const std::string &Variable) {
  cl_kernel Binds = S.kernel("__chip_var_bind_" + Variable);
  Memory.setArgument(Binds, 0, Variable, 0);
  Memory.announce(Binds);
  const size_t One = 1;
  must(clEnqueueNDRangeKernel(S.Queue, Binds, 1, nullptr, &One, &One, 0,
                              nullptr, nullptr),
       "clEnqueueNDRangeKernel");
  must(clFinish(S.Queue), "clFinish");
  clReleaseKernel(Binds);
}

/// True if it was about shared virtual memory.
bool Launch::heapLine(const std::string &Word, std::istringstream &In) {
  std::string Block, Other, Hex;
  size_t At = 0;
  long Offset = 0;
  const auto Index = static_cast<cl_uint>(Args.size());
  if (Word == "memory") {
    In >> Block >> Other >> Hex;
    Memory.make(Block, Other, fromHex(Hex));
  } else if (Word == "variable") {
    In >> Block >> Other >> Hex;
    Memory.make(Block, Other, fromHex(Hex));
    bind(Block);
  } else if (Word == "link") {
    In >> Block >> At >> Other >> Offset;
    Memory.link(Block, At, Other, Offset);
  } else if (Word == "pointer") {
    In >> Block >> Offset;
    Memory.setArgument(Kernel, Index, Block, Offset);
    Args.push_back(nullptr);
  } else if (Word == "packed") {
    In >> Block >> Offset >> Hex;
    const char *Address = Memory.addressOf(Block, Offset);
    Bytes Data(sizeof(Address));
    std::memcpy(Data.data(), &Address, sizeof(Address));
    const Bytes Rest = fromHex(Hex);
    Data.insert(Data.end(), Rest.begin(), Rest.end());
    set(Data.size(), Data.data());
    Args.push_back(nullptr);
  } else if (Word == "free" || Word == "free_enqueued") {
    In >> Block;
    Memory.free(Block, Word == "free_enqueued");
  } else if (Word == "free_inside") {
    In >> Block >> Offset;
    Memory.freeAddress(Memory.addressOf(Block, Offset));
  } else if (Word == "free_linked") {
    In >> Block >> At;
    Memory.freeAddress(Memory.linkedAt(Block, At));
  } else if (Word == "free_foreign") {
    static char Mine[64];
    Memory.freeAddress(Mine);
  } else if (Word == "free_waiting" || Word == "free_behind") {
    In >> Block;
    Freed.push_back({Block, Word == "free_behind"});
  } else if (Word == "churn") {
    size_t Size = 0;
    In >> At >> Size;
    Memory.churn(At, Size);
  } else if (Word == "holds") {
    In >> Block >> At >> Hex;
    Holds.push_back({Block, At, fromHex(Hex)});
  } else {
    return false;
  }
  return true;
}

void Launch::sampler(std::istringstream &In) {
  std::string Addressing, Filter, Coordinates;
  In >> Addressing >> Filter >> Coordinates;
  cl_int Error = CL_SUCCESS;
  const cl_sampler_properties Properties[] = {
      CL_SAMPLER_NORMALIZED_COORDS,
      static_cast<cl_sampler_properties>(Coordinates == "normalized"),
      CL_SAMPLER_ADDRESSING_MODE,
      static_cast<cl_sampler_properties>(
          Addressing == "none" ? CL_ADDRESS_NONE : CL_ADDRESS_CLAMP_TO_EDGE),
      CL_SAMPLER_FILTER_MODE,
      static_cast<cl_sampler_properties>(
          Filter == "linear" ? CL_FILTER_LINEAR : CL_FILTER_NEAREST),
      0};
  cl_sampler Made =
      clCreateSamplerWithProperties(S.Context, Properties, &Error);
  must(Error, "clCreateSamplerWithProperties");
  set(sizeof(Made), &Made);
  Args.push_back(nullptr);
  Samplers.push_back(Made);
}

void Launch::line(const std::string &Word, std::istringstream &In) {
  if (heapLine(Word, In))
    return;
  size_t Size = 0;
  std::string Flags, Hex;
  if (Word == "range") {
    In >> Dimensions;
    for (std::array<size_t, 3> *Each : {&Global, &Local, &Offset})
      for (size_t &Number : *Each)
        if (size_t Read = 0; In >> Read)
          Number = Read;
  } else if (Word == "buffer") {
    In >> Size >> Flags >> Hex;
    setMemory(buffer(flagsOf(Flags), Size, fromHex(Hex)));
  } else if (Word == "sub") {
    sub(In);
  } else if (Word == "image") {
    image(In);
  } else if (Word == "sampler") {
    sampler(In);
  } else if (Word == "local") {
    In >> Size;
    set(Size, nullptr);
    Args.push_back(nullptr);
  } else if (Word == "value") {
    In >> Hex;
    Bytes Data = fromHex(Hex);
    set(Data.size(), Data.data());
    Args.push_back(nullptr);
  } else if (Word == "null") {
    if (S.isLinked())
      must(clSetKernelArgSVMPointer(Kernel, static_cast<cl_uint>(Args.size()),
                                    nullptr),
           "clSetKernelArgSVMPointer");
    else
      set(sizeof(cl_mem), nullptr);
    Args.push_back(nullptr);
  } else if (Word == "after") {
    After Wanted = {};
    In >> Wanted.Arg >> Wanted.Offset >> Hex;
    Wanted.Data = fromHex(Hex);
    Checks.push_back(Wanted);
  } else if (Word == "measure") {
    In >> Size;
    Measured.push_back(Size);
  } else if (Word == "show") {
    Shown Each = {};
    In >> Each.Arg >> Each.Size;
    Shows.push_back(Each);
  } else {
    throw std::runtime_error("no such word in the list: " + Word);
  }
}

bool Launch::check(const After &Wanted) {
  Bytes Found(Wanted.Data.size());
  must(clEnqueueReadBuffer(S.Queue, Args.at(Wanted.Arg), CL_TRUE, Wanted.Offset,
                           Found.size(), Found.data(), 0, nullptr, nullptr),
       "clEnqueueReadBuffer");
  if (Found == Wanted.Data)
    return true;
  std::printf("wrong %s: argument %zu holds %s at byte %zu, not %s\n",
              Name.c_str(), Wanted.Arg, toHex(Found).c_str(), Wanted.Offset,
              toHex(Wanted.Data).c_str());
  return false;
}

bool Launch::run() {
  Memory.announce(Kernel);
  cl_int Error = CL_SUCCESS;
  cl_event Gate =
      Freed.empty() ? nullptr : clCreateUserEvent(S.Context, &Error);
  must(Error, "clCreateUserEvent");
  must(clEnqueueNDRangeKernel(S.Queue, Kernel, Dimensions, Offset.data(),
                              Global.data(), Local[0] ? Local.data() : nullptr,
                              Gate ? 1 : 0, Gate ? &Gate : nullptr, nullptr),
       "clEnqueueNDRangeKernel");
  for (const FreedLater &Each : Freed)
    Memory.free(Each.Name, Each.Enqueued);
  if (Gate) {
    must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
    clReleaseEvent(Gate);
  }
  must(clFinish(S.Queue), "clFinish");
  for (size_t Arg : Measured) {
    int64_t Value = 0;
    must(clEnqueueReadBuffer(S.Queue, Args.at(Arg), CL_TRUE, 0, sizeof(Value),
                             &Value, 0, nullptr, nullptr),
         "clEnqueueReadBuffer");
    std::printf("measured %s %lld\n", Name.c_str(),
                static_cast<long long>(Value));
  }
  for (const Shown &Each : Shows) {
    Bytes Found(Each.Size);
    must(clEnqueueReadBuffer(S.Queue, Args.at(Each.Arg), CL_TRUE, 0, Each.Size,
                             Found.data(), 0, nullptr, nullptr),
         "clEnqueueReadBuffer");
    std::printf("holds %s %zu %s\n", Name.c_str(), Each.Arg,
                toHex(Found).c_str());
  }
  bool Right = true;
  for (const After &Wanted : Checks)
    Right &= check(Wanted);
  for (const Held &Wanted : Holds) {
    Bytes Found =
        Memory.contents(Wanted.Name, Wanted.Offset, Wanted.Data.size());
    if (Found == Wanted.Data)
      continue;
    std::printf("wrong %s: %s holds %s at byte %zu, not %s\n", Name.c_str(),
                Wanted.Name.c_str(), toHex(Found).c_str(), Wanted.Offset,
                toHex(Wanted.Data).c_str());
    Right = false;
  }
  return Right;
}

/// Makes all launches; false if one failed or was wrong.
bool runList(Session &S, const std::string &Path) {
  std::istringstream List(zoo::contents(Path));
  std::string Text, Name;
  std::vector<std::string> Lines;
  bool Right = true;
  while (std::getline(List, Text)) {
    if (Text.starts_with("kernel ")) {
      Name = Text.substr(strlen("kernel "));
      Lines.clear();
    } else if (Text != "end") {
      Lines.push_back(Text);
    } else {
      try {
        Launch Each(S, Name);
        for (const std::string &Line : Lines) {
          std::istringstream In(Line);
          std::string Word;
          In >> Word;
          Each.line(Word, In);
        }
        Right &= Each.run();
      } catch (const std::exception &Error) {
        std::printf("wrong %s: %s\n", Name.c_str(), Error.what());
        Right = false;
      }
      std::fflush(stdout);
    }
  }
  return Right;
}

} // namespace

int main(int Count, char **Words) {
  std::vector<std::string> Given(Words + 1, Words + Count);
  try {
    Session S;
    S.open();
    if (Given.size() == 1 && Given[0] == "--device") {
      S.printDevice();
      return 0;
    }
    if (Given.size() != 4)
      throw std::runtime_error(
          "usage: zoo_host source|il|linked FILE OPTIONS LIST, or --device");
    S.build(Given[0], Given[1], Given[2]);
    bool Right = runList(S, Given[3]);
    S.close();
    return Right ? 0 : 1;
  } catch (const std::exception &Error) {
    std::printf("wrong program: %s\n", Error.what());
    return 1;
  }
}
