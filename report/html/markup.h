//===- report/html/markup.h - the parts of the HTML report ------*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every part is a string of well-formed HTML. Whatever comes from outside goes
// through escape(); there are no style attributes, so that the page's policy
// can name its one style sheet and its one script by their hashes.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_HTML_MARKUP_H
#define WARPSAN_REPORT_HTML_MARKUP_H

#include "report/collection.h"

#include <string>
#include <string_view>

namespace warpsan::html {

/// \p Text as it can stand between tags and in quoted attributes: no markup,
/// no control characters.
std::string escape(std::string_view Text);

/// The same of what the text report breaks into lines.
std::string unbroken(std::string_view Text);

/// <\p Tag class="\p Class">\p Inside</\p Tag>; \p Inside is markup.
std::string element(const char *Tag, const char *Class,
                    const std::string &Inside);

/// "12.5%": a place or a length in a picture that is as wide as the page has
/// room for.
std::string percent(double Value);

/// Whose error it is, as the filter lists it: the kernel, or the call.
std::string subjectName(const Finding &F);

/// A finding that unfolds; \p Anchor is its own, \p Cause that of the finding
/// that it may follow from, empty if the page has none, \p Open whether it is
/// unfolded at first.
std::string findingPart(const CollectedFinding &Of, const std::string &Anchor,
                        const std::string &Cause, bool Open);

/// Lines of the source, the access marked, and what is wrong with it.
std::string sourcePart(const Finding &F);

/// The memory, what is near it and the access, to scale; empty if there is
/// nothing to draw.
std::string memoryPicture(const Finding &F);

/// The NDRange, with the work-items that failed; empty for calls.
std::string rangeMap(const Finding &F);

/// What was checked, and what was not.
std::string coveragePart(const Collection &All);

} // namespace warpsan::html

#endif // WARPSAN_REPORT_HTML_MARKUP_H
