//===- report/html.cpp - a report as one page -----------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"

using namespace warpsan;

std::string warpsan::htmlOf(const Collection &All) {
  std::string Out = "<!DOCTYPE html><meta charset=utf-8><title>WarpSan</title>"
                    "<pre>";
  for (char C : textOf(All, false))
    Out += C == '<' ? "&lt;" : C == '&' ? "&amp;" : std::string(1, C);
  return Out + "</pre>\n";
}
