//===- report/formats/uri.cpp - file names as URIs ------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/formats/uri.h"

#include <string_view>
#include <system_error>

using namespace warpsan;

static std::string encoded(std::string_view Path) {
  constexpr std::string_view Plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+";
  constexpr const char *Digits = "0123456789ABCDEF";
  std::string Out;
  for (char C : Path) {
    if (Plain.find(C) != std::string_view::npos) {
      Out += C;
      continue;
    }
    const auto Byte = static_cast<unsigned char>(C);
    Out += '%';
    Out += Digits[Byte >> 4];
    Out += Digits[Byte & 15];
  }
  return Out;
}

FileUri warpsan::uriOf(const std::string &Name,
                       const std::filesystem::path &Directory) {
  namespace fs = std::filesystem;
  const fs::path Given = fs::path(Name).lexically_normal();
  std::error_code Error;
  if (!Given.is_absolute() && !fs::exists(Directory / Given, Error)) {
    return {encoded(Given.string()), false};
  }
  const fs::path Path = (Directory / Given).lexically_normal();
  const fs::path Base = (Directory / "").lexically_normal();
  const std::string Whole = Path.string(), Start = Base.string();
  if (Whole.size() > Start.size() && Whole.starts_with(Start))
    return {encoded(std::string_view(Whole).substr(Start.size())), true};
  return {"file://" + encoded(Whole), false};
}

std::string warpsan::uriOfDirectory(const std::filesystem::path &Directory) {
  return "file://" + encoded((Directory / "").lexically_normal().string());
}
