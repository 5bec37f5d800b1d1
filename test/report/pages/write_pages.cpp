//===- test/report/pages/write_pages.cpp - writes the pages of pages.h ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/pages/pages.h"

#include <filesystem>
#include <fstream>
#include <iostream>

using namespace warpsan;

/// write_pages FOLDER
int main(int Count, char **Arguments) {
  if (Count != 2) {
    std::cerr << "usage: write_pages FOLDER\n";
    return 2;
  }
  const std::filesystem::path Folder = Arguments[1];
  std::filesystem::create_directories(Folder);
  for (const samples::Page &P : samples::pages()) {
    std::ofstream Out(Folder / (std::string(P.Name) + ".html"),
                      std::ios::binary);
    Out << htmlOf(P.Of);
    if (!Out.flush()) {
      std::cerr << "cannot write " << P.Name << "\n";
      return 1;
    }
  }
  return 0;
}
