//===- test/apps/programs/opencv.cpp - OpenCV's kernels for images --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "verdict.h"
#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>

namespace {

/// The same operations, on the device with cv::UMat and on the host with
/// cv::Mat: OpenCV chooses by the type.
template <typename Image> struct Results {
  Image Gray, Blurred, Small, Edges, Binary, Median, Dilated, Spectrum, Product;

  explicit Results(const cv::Mat &Source) {
    Image Color, Float, Ones;
    Source.copyTo(Color);
    cv::cvtColor(Color, Gray, cv::COLOR_BGR2GRAY);
    cv::GaussianBlur(Gray, Blurred, cv::Size(7, 7), 1.5);
    cv::resize(Blurred, Small, cv::Size(320, 240), 0, 0, cv::INTER_LINEAR);
    cv::Canny(Blurred, Edges, 50, 150);
    cv::threshold(Blurred, Binary, 127, 255, cv::THRESH_BINARY);
    cv::medianBlur(Gray, Median, 3);
    cv::dilate(Binary, Dilated, cv::Mat());
    Gray.convertTo(Float, CV_32F);
    cv::dft(Float, Spectrum, cv::DFT_COMPLEX_OUTPUT);
    cv::Mat(64, 64, CV_32F, cv::Scalar(1)).copyTo(Ones);
    cv::gemm(Ones, Ones, 1, cv::noArray(), 0, Product);
  }
};

/// Brightness may be rounded either way.
void compareLevels(const char *Name, const cv::UMat &Got,
                   const cv::Mat &Expected) {
  verdict::step(Name, cv::mean(Got)[0], cv::norm(Got, Expected, cv::NORM_INF),
                1);
}

/// A yes-or-no image: one level of difference before a threshold can turn a
/// pixel over, so a few may.
void compareMask(const char *Name, const cv::UMat &Got,
                 const cv::Mat &Expected) {
  cv::Mat Difference;
  cv::absdiff(Got, Expected, Difference);
  verdict::step(Name, cv::mean(Got)[0], cv::countNonZero(Difference),
                double(Difference.total()) * .01);
}

void compareNumbers(const char *Name, const cv::UMat &Got,
                    const cv::Mat &Expected) {
  verdict::step(Name, cv::norm(Got), cv::norm(Got, Expected),
                1e-5 * cv::norm(Expected));
}

} // namespace

int main() {
  if (!cv::ocl::useOpenCL()) {
    std::printf("OpenCV does not use OpenCL here\n");
    return 2;
  }
  cv::Mat Source(480, 640, CV_8UC3);
  cv::RNG Random(1);
  Random.fill(Source, cv::RNG::UNIFORM, 0, 255);

  const Results<cv::UMat> Got(Source);
  const Results<cv::Mat> Expected(Source);
  compareLevels("gray, mean", Got.Gray, Expected.Gray);
  compareLevels("Gaussian blur, mean", Got.Blurred, Expected.Blurred);
  compareLevels("half size, mean", Got.Small, Expected.Small);
  compareMask("Canny's edges, mean", Got.Edges, Expected.Edges);
  compareMask("threshold, mean", Got.Binary, Expected.Binary);
  compareLevels("median, mean", Got.Median, Expected.Median);
  compareMask("dilated, mean", Got.Dilated, Expected.Dilated);
  compareNumbers("spectrum, norm", Got.Spectrum, Expected.Spectrum);
  compareNumbers("matrix product, norm", Got.Product, Expected.Product);
  return verdict::exitCode();
}
