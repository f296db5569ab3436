#define main program_main
#include "../../../ch03_intro/device_properties.cu"
#undef main

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "../../harness/bad_input.h"

static cudaDeviceProp properties_of_device_0() {
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, 0));
  return properties;
}

TEST_CASE("each of the book's 25 fields has one row with a value") {
  const char* const book[] = {"name",
                              "totalGlobalMem",
                              "sharedMemPerBlock",
                              "regsPerBlock",
                              "warpSize",
                              "memPitch",
                              "maxThreadsPerBlock",
                              "maxThreadsDim",
                              "maxGridSize",
                              "totalConstMem",
                              "major",
                              "minor",
                              "clockRate",
                              "textureAlignment",
                              "deviceOverlap",
                              "multiProcessorCount",
                              "integrated",
                              "canMapHostMemory",
                              "kernelExecTimeoutEnabled",
                              "computeMode",
                              "maxTexture1D",
                              "maxTexture2D",
                              "maxTexture3D",
                              "maxTexture2DArray",
                              "concurrentKernels"};
  const std::vector<Row> rows = describe(properties_of_device_0(), 0);
  std::multiset<std::string> fields;
  int not_fields = 0;
  for (const Row& row : rows) {
    fields.insert(row.field);
    if (row.field.empty()) continue;
    CHECK_FALSE(row.today.empty());
    CHECK_FALSE(row.then.empty());
    not_fields += !row.how.empty();
  }
  CHECK(sizeof book / sizeof book[0] == 25);
  for (const char* field : book) CHECK_MESSAGE(fields.count(field) == 1, field);
  CHECK(not_fields == 5);
}

TEST_CASE("values are those that CUDA gives") {
  const cudaDeviceProp properties = properties_of_device_0();
  for (const Row& row : describe(properties, 0)) {
    if (row.field == "name") CHECK(row.today == properties.name);
    if (row.field == "warpSize") CHECK(row.today == std::to_string(properties.warpSize));
    if (row.field == "maxThreadsDim")
      CHECK(row.today == std::to_string(properties.maxThreadsDim[0]) + " x " +
                             std::to_string(properties.maxThreadsDim[1]) + " x " +
                             std::to_string(properties.maxThreadsDim[2]));
  }
}

TEST_CASE("rows whose values CUDA also gives in another way, in the units that are printed") {
  std::map<std::string, std::string> rows;
  for (const Row& row : describe(properties_of_device_0(), 0)) rows[row.field] = row.today;
  const auto number = [](cudaDeviceAttr which) { return std::to_string(attribute(which, 0)); };
  CHECK(rows["major"] == number(cudaDevAttrComputeCapabilityMajor));
  CHECK(rows["minor"] == number(cudaDevAttrComputeCapabilityMinor));
  CHECK(rows["multiProcessorCount"] == number(cudaDevAttrMultiProcessorCount));
  CHECK(rows["totalConstMem"] == number(cudaDevAttrTotalConstantMemory));
  CHECK(rows["sharedMemPerBlock"] == number(cudaDevAttrMaxSharedMemoryPerBlock));
  CHECK(rows["regsPerBlock"] == number(cudaDevAttrMaxRegistersPerBlock));
  CHECK(rows["maxThreadsPerBlock"] == number(cudaDevAttrMaxThreadsPerBlock));
  CHECK(rows["memPitch"] == number(cudaDevAttrMaxPitch));
  CHECK(rows["textureAlignment"] == number(cudaDevAttrTextureAlignment));
  CHECK(rows["maxTexture1D"] == number(cudaDevAttrMaxTexture1DWidth));
  CHECK(rows["l2CacheSize"] == number(cudaDevAttrL2CacheSize));
  const int khz = attribute(cudaDevAttrClockRate, 0);
  CHECK(std::abs(atof(rows["clockRate"].c_str()) * 1000 - khz) < 1000);
  CHECK(course::contains(rows["clockRate"], " MHz"));
  CHECK(rows["integrated"] == (attribute(cudaDevAttrIntegrated, 0) != 0 ? "yes" : "no"));
  CHECK(rows["canMapHostMemory"] ==
        (attribute(cudaDevAttrCanMapHostMemory, 0) != 0 ? "yes" : "no"));
}

TEST_CASE("a field that differs from its attribute is noticed") {
  cudaDeviceProp properties = properties_of_device_0();
  CHECK(fields_agree_with_attributes(properties, 0));
  properties.warpSize++;
  CHECK_FALSE(fields_agree_with_attributes(properties, 0));
  properties = properties_of_device_0();
  properties.maxGridSize[2]--;
  CHECK_FALSE(fields_agree_with_attributes(properties, 0));
}

TEST_CASE("modes in words") {
  CHECK(compute_mode(cudaComputeModeDefault) == "default");
  CHECK(compute_mode(cudaComputeModeProhibited) == "prohibited");
  CHECK(compute_mode(17) == "unknown (17)");
}

TEST_CASE("the program") {
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  const course::RunResult all = course::run_program({});
  CHECK(all.exit_code == 0);
  CHECK(course::contains(all.out, "device 0 of " + std::to_string(count)));
  CHECK(course::contains(all.out, "device " + std::to_string(count - 1) + " of "));
  CHECK(course::run_program({"--device", "0"}).exit_code == 0);
  course::check_refused({"--device", std::to_string(count)}, "there is no device");
  course::check_number_option("device");
}
