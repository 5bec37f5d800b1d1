//===- test/report/samples/samples_objects.cpp - errors of marked objects -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

using namespace warpsan;
using namespace warpsan::samples;

using Access = SiteInfo::Access;
using MemoryKind = MemoryInfo::Kind;

/// 1,024 bytes at byte 4,096 of a megabyte.
static MemoryInfo weights(MemoryKind What, const char *Call) {
  MemoryInfo Object;
  Object.What = What;
  Object.Object = true;
  Object.Name = "weights";
  Object.Size = 1024;
  Object.SubOffset = 4096;
  Object.ParentSize = 1 << 20;
  Object.CreatedBy = Call;
  Object.Created = {{"pool_alloc", "pool.c", 33, "/opt/bin/net", 70},
                    {"main", "net.c", 12, "/opt/bin/net", 12}};
  return Object;
}

/// A kernel writes 4 bytes at \p Offset of the buffer around them.
static Case inBuffer(int64_t Offset) {
  Case C;
  C.size(1 << 20);
  C.test(WS_TEST_OBJECT);
  C.arg() = {"pool", "float*", "global", false};
  C.access(Access::Write, "float", 4, Offset);
  C.source(7, {"  pool[first + i] = x;"}, 19);
  C.Launch.Object = weights(MemoryKind::Buffer, "warpsan_mark_buffer");
  C.Launch.Launched = {{"run", "net.c", 61, "/opt/bin/net", 120}};
  return C;
}

static Case freed() {
  Case C = inBuffer(4096 + 16);
  C.Launch.Object.ReleasedBy = "warpsan_free_buffer";
  C.Launch.Object.Released = {{"pool_free", "pool.c", 40, "/opt/bin/net", 90}};
  return C;
}

static Case nameless() {
  Case C = inBuffer(4096 - 8);
  C.Launch.Object.Name = "";
  return C;
}

/// The objects have changed since.
static Case none() {
  Case C = inBuffer(4096);
  C.Launch.Object = C.memory();
  return C;
}

static Case pointerTo(const char *Name) {
  Case C;
  C.memory() = weights(MemoryKind::SVM, "warpsan_mark_pointer");
  C.memory().Name = Name;
  C.Record.Size = 1024;
  C.access(Access::Write, "float", 4, 1028);
  C.source(7, {"  dest[i] = x;"}, 11);
  C.Launch.Launched = {{"run", "net.c", 61, "/opt/bin/net", 120}};
  return C;
}

static Case pointerInMemory() {
  Case C = pointerTo("");
  C.root() = {};
  C.root().What = RootInfo::Kind::Heap;
  C.Launch.Heap = C.memory();
  return C;
}

void samples::addObjects(std::vector<Sample> &Samples) {
  Samples.insert(Samples.end(), {
                                    {"object_in_buffer", inBuffer(5124)},
                                    {"object_freed", freed()},
                                    {"object_nameless", nameless()},
                                    {"object_none", none()},
                                    {"object_svm", pointerTo("weights")},
                                    {"object_svm_nameless", pointerTo("")},
                                    {"object_svm_heap", pointerInMemory()},
                                });
}
