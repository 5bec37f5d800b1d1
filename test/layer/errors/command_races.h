//===- test/layer/errors/command_races.h - commands of a case -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_LAYER_ERRORS_COMMAND_RACES_H
#define WARPSAN_TEST_LAYER_ERRORS_COMMAND_RACES_H

#include "test/layer/fixture.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpsan::test::command_races {

inline constexpr size_t Count = 1024, Bytes = Count * 4;

/// A context with queues, and buffers of Count integers.
class Case : OpenCL {
public:
  Case();
  ~Case() override;
  void TestBody() override {}

  /// False if the device has not what the case of this name needs.
  bool canRun(std::string_view Name) const;
  void finishAll() const;
  Queue queue() const { return OpenCL::queue(0); }
  Event userEvent() const;
  /// Of Data.
  Mem part(size_t Offset, size_t Size) const;

  using Waits = std::vector<cl_event>;
  /// Data[i] *= 3.
  void scale(cl_command_queue Q, const Waits &Wait = {},
             cl_event *Done = nullptr, cl_mem Of = nullptr,
             size_t Items = Count) const;
  /// Into[i] = From[i].
  void copy(cl_command_queue Q, cl_mem From, cl_mem Into,
            const Waits &Wait = {}, cl_event *Done = nullptr) const;
  /// Data[i] = i where i < N.
  void guarded(cl_command_queue Q, size_t N) const;
  /// Data[First + i * Step] = i.
  void strided(cl_command_queue Q, size_t First, size_t Step,
               size_t Items = Count / 4) const;
  /// Atomically ++Data[0].
  void count(cl_command_queue Q) const;
  /// Data[i] = 0.
  void clear(cl_command_queue Q) const;
  /// Into[i] is the sum of some of From.
  void sums(cl_command_queue Q, cl_mem From, cl_mem Into) const;
  /// Data[i] = 1 where Other[i] is 5: nowhere.
  void selected(cl_command_queue Q) const;
  /// Data[i] = 1 once Other[0] is 0: at once.
  void awaited(cl_command_queue Q) const;
  /// Data[Other[i]] = 1.
  void scattered(cl_command_queue Q) const;
  /// Data, of 32 rows.
  void grid(cl_command_queue Q) const;

  void read(cl_command_queue Q, size_t First = 0, size_t Size = Bytes);
  void write(cl_command_queue Q, size_t First = 0, size_t Size = Bytes);
  void copyBuffer(cl_command_queue Q, cl_mem From, cl_mem Into) const;
  void fill(cl_command_queue Q, cl_int Value) const;
  /// 16 rows of 128 bytes of Data, from byte \p First of each on.
  void writeRows(cl_command_queue Q, size_t First, size_t Size);
  void svmFill(cl_command_queue Q, size_t First, size_t Size, cl_int Value);
  /// Waits until it is mapped.
  void *map(cl_command_queue Q, cl_map_flags Flags, size_t First = 0) const;
  void unmap(cl_command_queue Q, void *At, cl_event *Done = nullptr) const;
  /// Waits until a callback of \p Of was called.
  static void callback(cl_event Of);

  Queue First, Second, Last; ///< in order
  Queue Unordered;           ///< null if there is none
  Mem Data, Other, Third;
  std::vector<cl_int> Host;

private:
  static void run(cl_kernel K, cl_command_queue Q, const Range &R,
                  const Waits &Wait = {}, cl_event *Done = nullptr);
  Program P;
  void *Shared = nullptr;
};

struct Named {
  const char *Name;
  void (*Run)(Case &);
};

} // namespace warpsan::test::command_races

#endif // WARPSAN_TEST_LAYER_ERRORS_COMMAND_RACES_H
