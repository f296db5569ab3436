// What objects say of themselves must be what they were made with, whichever interface made them. And each call that takes a
// pointer or a handle refuses those that are not there, with the documented error, and changes nothing.
#include <cuda.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../harness/run_program.h"

texture<float> plain_line;
texture<float, 2> plain_plane;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colors;
texture<short2, cudaTextureType2D, cudaReadModeElementType> pairs;
surface<void, cudaSurfaceType2D> first_surface, second_surface;

namespace {

std::mt19937 engine(7);
int below(int n) { return int(engine() % unsigned(n)); }

void expect_same(const cudaTextureDesc& got, const cudaTextureDesc& wanted) {
  for (int d = 0; d < 3; d++) CHECK(got.addressMode[d] == wanted.addressMode[d]);
  for (int i = 0; i < 4; i++) CHECK(got.borderColor[i] == wanted.borderColor[i]);
  CHECK(got.filterMode == wanted.filterMode);
  CHECK(got.readMode == wanted.readMode);
  CHECK(got.sRGB == wanted.sRGB);
  CHECK(got.normalizedCoords == wanted.normalizedCoords);
  CHECK(got.maxAnisotropy == wanted.maxAnisotropy);
  CHECK(got.mipmapFilterMode == wanted.mipmapFilterMode);
  CHECK(got.mipmapLevelBias == wanted.mipmapLevelBias);
  CHECK(got.minMipmapLevelClamp == wanted.minMipmapLevelClamp);
  CHECK(got.maxMipmapLevelClamp == wanted.maxMipmapLevelClamp);
  CHECK(got.disableTrilinearOptimization == wanted.disableTrilinearOptimization);
  CHECK(got.seamlessCubemap == wanted.seamlessCubemap);
}
void expect_same(const cudaChannelFormatDesc& got, const cudaChannelFormatDesc& wanted) {
  CHECK((got.x == wanted.x && got.y == wanted.y && got.z == wanted.z && got.w == wanted.w));
  CHECK(got.f == wanted.f);
}
void expect_same(const cudaResourceDesc& got, const cudaResourceDesc& wanted) {
  REQUIRE(got.resType == wanted.resType);
  switch (got.resType) {
    case cudaResourceTypeArray: CHECK(got.res.array.array == wanted.res.array.array); break;
    case cudaResourceTypeMipmappedArray: CHECK(got.res.mipmap.mipmap == wanted.res.mipmap.mipmap); break;
    case cudaResourceTypeLinear:
      CHECK(got.res.linear.devPtr == wanted.res.linear.devPtr);
      CHECK(got.res.linear.sizeInBytes == wanted.res.linear.sizeInBytes);
      expect_same(got.res.linear.desc, wanted.res.linear.desc);
      break;
    case cudaResourceTypePitch2D:
      CHECK(got.res.pitch2D.devPtr == wanted.res.pitch2D.devPtr);
      CHECK((got.res.pitch2D.width == wanted.res.pitch2D.width && got.res.pitch2D.height == wanted.res.pitch2D.height));
      CHECK(got.res.pitch2D.pitchInBytes == wanted.res.pitch2D.pitchInBytes);
      expect_same(got.res.pitch2D.desc, wanted.res.pitch2D.desc);
  }
}
void expect_object(cudaTextureObject_t object, const cudaResourceDesc& resource, const cudaTextureDesc& how) {
  cudaResourceDesc got;
  cudaTextureDesc got_how;
  memset(&got, 0x5a, sizeof got), memset(&got_how, 0x5a, sizeof got_how);
  REQUIRE(cudaGetTextureObjectResourceDesc(&got, object) == cudaSuccess);
  REQUIRE(cudaGetTextureObjectTextureDesc(&got_how, object) == cudaSuccess);
  expect_same(got, resource);
  expect_same(got_how, how);
}

struct Places {  // what textures are made of, of one format
  cudaChannelFormatDesc format;
  size_t element;
  char* memory;
  cudaArray_t array;
  cudaMipmappedArray_t levels;
};
constexpr size_t kPitch = 512, kRows = 8;
Places make_places(const cudaChannelFormatDesc& format) {
  Places places{format, size_t(format.x + format.y + format.z + format.w) / 8, nullptr, nullptr, nullptr};
  REQUIRE(cudaMalloc(&places.memory, 2 * kPitch * kRows) == cudaSuccess);
  REQUIRE(cudaMallocArray(&places.array, &format, 16, 4, cudaArraySurfaceLoadStore) == cudaSuccess);
  REQUIRE(cudaMallocMipmappedArray(&places.levels, &format, make_cudaExtent(16, 8, 0), 4) == cudaSuccess);
  return places;
}
void free_places(const Places& places) {
  CHECK(cudaFree(places.memory) == cudaSuccess);
  CHECK(cudaFreeArray(places.array) == cudaSuccess);
  CHECK(cudaFreeMipmappedArray(places.levels) == cudaSuccess);
}

template <typename T, int type, cudaTextureReadMode mode, typename Reference>
void references_of(Reference& reference) {
  const Places places = make_places(cudaCreateChannelDesc<T>());
  for (int round = 0; round < 80; round++) {
    CAPTURE(round);
    cudaTextureDesc how = {};
    how.readMode = mode;
    const bool linear = places.format.f == cudaChannelFormatKindFloat || mode == cudaReadModeNormalizedFloat;
    for (int d = 0; d < 3; d++) reference.addressMode[d] = how.addressMode[d] = cudaTextureAddressMode(below(4));
    reference.filterMode = how.filterMode = linear ? cudaTextureFilterMode(below(2)) : cudaFilterModePoint;
    reference.normalized = how.normalizedCoords = below(2);
    reference.sRGB = how.sRGB = mode == cudaReadModeNormalizedFloat ? below(2) : 0;
    reference.maxAnisotropy = how.maxAnisotropy = below(2);
    reference.mipmapFilterMode = how.mipmapFilterMode = linear ? cudaTextureFilterMode(below(2)) : cudaFilterModePoint;
    reference.mipmapLevelBias = how.mipmapLevelBias = below(9) / 4.0f;
    reference.minMipmapLevelClamp = how.minMipmapLevelClamp = below(9) / 8.0f;
    reference.maxMipmapLevelClamp = how.maxMipmapLevelClamp = 1 + below(9) / 8.0f;
    cudaResourceDesc resource = {};
    const cudaTextureObject_t before_that = reference.bound;
    size_t offset = 77, same = 78;
    // An offset is possible only if the program takes it; the texture begins at a multiple of 512 bytes.
    const bool takes = below(2) == 0;
    const size_t shift = takes ? below(9) * places.element : kPitch * below(2);
    char* const pointer = places.memory + shift;
    const size_t before = shift % kPitch;
    switch (below(4)) {
      case 0: {
        const size_t bytes = places.element * (1 + below(20));
        REQUIRE(cudaBindTexture(takes ? &offset : nullptr, &reference, pointer, &places.format, bytes) == cudaSuccess);
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear = {pointer - before, places.format, bytes + before};
        break;
      }
      case 1: {
        const size_t width = 1 + below(10), height = 1 + below(4);
        REQUIRE(cudaBindTexture2D(takes ? &offset : nullptr, &reference, pointer, &places.format, width, height, kPitch) == cudaSuccess);
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D = {pointer - before, places.format, width + before / places.element, height, kPitch};
        break;
      }
      case 2:
        REQUIRE(cudaBindTextureToArray(&reference, places.array, &places.format) == cudaSuccess);
        resource.resType = cudaResourceTypeArray, resource.res.array.array = places.array;
        break;
      default:
        REQUIRE(cudaBindTextureToMipmappedArray(&reference, places.levels, &places.format) == cudaSuccess);
        resource.resType = cudaResourceTypeMipmappedArray, resource.res.mipmap.mipmap = places.levels;
    }
    expect_object(reference.bound, resource, how);
    cudaTextureDesc gone;
    CHECK((before_that == 0 || cudaGetTextureObjectTextureDesc(&gone, before_that) == cudaErrorInvalidValue));
    const bool in_memory = resource.resType == cudaResourceTypeLinear || resource.resType == cudaResourceTypePitch2D;
    if (in_memory && takes) CHECK(offset == before);
    REQUIRE(cudaGetTextureAlignmentOffset(&same, &reference) == cudaSuccess);
    CHECK(same == (in_memory ? before : 0));
    const textureReference* found = nullptr;
    CHECK(cudaGetTextureReference(&found, &reference) == cudaSuccess);
    CHECK(found == &reference);
    if (below(3) != 0) continue;
    CHECK(cudaUnbindTexture(&reference) == cudaSuccess);
    CHECK(cudaGetTextureAlignmentOffset(&same, &reference) == cudaErrorInvalidTextureBinding);
  }
  CHECK(cudaUnbindTexture(&reference) == cudaSuccess);
  free_places(places);
}

}  // namespace

TEST_CASE("a texture reference is the object with the same settings, whatever it is bound to") {
  references_of<float, 1, cudaReadModeElementType>(plain_line);
  references_of<float, 2, cudaReadModeElementType>(plain_plane);
  references_of<uchar4, 2, cudaReadModeNormalizedFloat>(colors);
  references_of<short2, 2, cudaReadModeElementType>(pairs);
  cudaGetLastError();
}

TEST_CASE("a surface reference is the object of its array") {
  const Places places[] = {make_places(cudaCreateChannelDesc<float>()), make_places(cudaCreateChannelDesc<int2>())};
  for (const int which : {0, 1, 1, 0}) {
    const cudaArray_t array = places[which].array;
    const cudaSurfaceObject_t before = first_surface.bound;
    REQUIRE(cudaBindSurfaceToArray(&first_surface, array, &places[which].format) == cudaSuccess);
    REQUIRE(cudaBindSurfaceToArray(&second_surface, places[1 - which].array, &places[1 - which].format) == cudaSuccess);
    for (const surfaceReference* one : {static_cast<surfaceReference*>(&first_surface), static_cast<surfaceReference*>(&second_surface)}) {
      cudaResourceDesc got;
      memset(&got, 0x5a, sizeof got);
      REQUIRE(cudaGetSurfaceObjectResourceDesc(&got, one->bound) == cudaSuccess);
      CHECK(got.resType == cudaResourceTypeArray);
      CHECK(got.res.array.array == (one == &first_surface ? array : places[1 - which].array));
      CHECK((before == 0 || cudaGetSurfaceObjectResourceDesc(&got, before) == cudaErrorInvalidValue));
      const surfaceReference* found = nullptr;
      CHECK(cudaGetSurfaceReference(&found, one) == cudaSuccess);
      CHECK(found == one);
    }
  }
  const cudaSurfaceObject_t object = first_surface.bound;
  CHECK(cudaDestroySurfaceObject(object) == cudaSuccess);
  cudaResourceDesc got;
  CHECK(cudaGetSurfaceObjectResourceDesc(&got, object) == cudaErrorInvalidValue);
  CHECK(cudaDestroySurfaceObject(object) == cudaErrorInvalidValue);
  for (const Places& one : places) free_places(one);
  CHECK(cudaBindSurfaceToArray(&second_surface, places[0].array, &places[0].format) != cudaSuccess);
  CHECK(second_surface.bound == 0);
  cudaGetLastError();
}

// Each format by its numbers in both interfaces.
TEST_CASE("textures and arrays of the driver interface are those of the runtime") {
  REQUIRE(cudaFree(nullptr) == cudaSuccess);
  const struct {
    CUarray_format format;
    int bits;
    cudaChannelFormatKind kind;
  } formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},   {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                 {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned}, {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},     {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                 {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},              {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
  for (const auto& one : formats)
    for (const unsigned channels : {1u, 2u, 4u, 0u, 3u, 5u}) {
      CAPTURE(one.format);
      CAPTURE(channels);
      CUDA_ARRAY3D_DESCRIPTOR what = {16, 8, 0, one.format, channels, CUDA_ARRAY3D_SURFACE_LDST}, got = {};
      CUarray driver_array = nullptr;
      const bool possible = channels == 1 || channels == 2 || channels == 4;
      CHECK(cuArray3DCreate(&driver_array, &what) == (possible ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE));
      if (!possible) continue;
      const int b = one.bits;
      const Places places = make_places({b, channels > 1 ? b : 0, channels > 2 ? b : 0, channels > 2 ? b : 0, one.kind});
      cudaChannelFormatDesc format = {};
      CHECK(cudaGetChannelDesc(&format, driver_array) == cudaSuccess);
      expect_same(format, places.format);
      CHECK(cuArray3DGetDescriptor(&got, places.array) == CUDA_SUCCESS);
      CHECK((got.Width == 16 && got.Height == 4 && got.Depth == 0 && got.Format == one.format));
      CHECK((got.NumChannels == channels && got.Flags == CUDA_ARRAY3D_SURFACE_LDST));
      CUDA_ARRAY_DESCRIPTOR plane = {};
      CHECK(cuArrayGetDescriptor(&plane, driver_array) == CUDA_SUCCESS);
      CHECK((plane.Width == 16 && plane.Height == 8 && plane.Format == one.format && plane.NumChannels == channels));
      CHECK(cuArrayDestroy(driver_array) == CUDA_SUCCESS);

      for (int round = 0; round < 24; round++) {
        CUDA_RESOURCE_DESC resource = {};
        cudaResourceDesc wanted = {};
        switch (round % 4) {
          case 0:
            resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = places.array;
            wanted.resType = cudaResourceTypeArray, wanted.res.array.array = places.array;
            break;
          case 1:
            resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, resource.res.mipmap.hMipmappedArray = places.levels;
            wanted.resType = cudaResourceTypeMipmappedArray, wanted.res.mipmap.mipmap = places.levels;
            break;
          case 2: {
            const size_t bytes = places.element * (1 + below(20));
            resource.resType = CU_RESOURCE_TYPE_LINEAR;
            resource.res.linear = {CUdeviceptr(places.memory), one.format, channels, bytes};
            wanted.resType = cudaResourceTypeLinear, wanted.res.linear = {places.memory, places.format, bytes};
            break;
          }
          default: {
            const size_t width = 1 + below(20), height = 1 + below(int(kRows));
            resource.resType = CU_RESOURCE_TYPE_PITCH2D;
            resource.res.pitch2D = {CUdeviceptr(places.memory), one.format, channels, width, height, kPitch};
            wanted.resType = cudaResourceTypePitch2D, wanted.res.pitch2D = {places.memory, places.format, width, height, kPitch};
          }
        }
        CUDA_TEXTURE_DESC how = {};
        cudaTextureDesc same = {};
        const bool narrow = one.kind != cudaChannelFormatKindFloat && b <= 16, as_integer = below(2) == 0;
        same.readMode = narrow && !as_integer ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        const bool floats = one.kind == cudaChannelFormatKindFloat || same.readMode == cudaReadModeNormalizedFloat;
        for (int d = 0; d < 3; d++) same.addressMode[d] = cudaTextureAddressMode(below(4)), how.addressMode[d] = CUaddress_mode(same.addressMode[d]);
        for (int i = 0; i < 4; i++) same.borderColor[i] = how.borderColor[i] = float(below(99));
        same.filterMode = floats ? cudaTextureFilterMode(below(2)) : cudaFilterModePoint, how.filterMode = CUfilter_mode(same.filterMode);
        same.mipmapFilterMode = floats ? cudaTextureFilterMode(below(2)) : cudaFilterModePoint;
        how.mipmapFilterMode = CUfilter_mode(same.mipmapFilterMode);
        same.maxAnisotropy = how.maxAnisotropy = below(2);
        same.mipmapLevelBias = how.mipmapLevelBias = below(9) / 4.0f;
        same.minMipmapLevelClamp = how.minMipmapLevelClamp = below(9) / 8.0f;
        same.maxMipmapLevelClamp = how.maxMipmapLevelClamp = 1 + below(9) / 8.0f;
        const auto flag = [&](int* field, unsigned value) { *field = below(2), how.flags |= *field != 0 ? value : 0; };
        if (as_integer) how.flags |= CU_TRSF_READ_AS_INTEGER;
        flag(&same.normalizedCoords, CU_TRSF_NORMALIZED_COORDINATES);
        flag(&same.disableTrilinearOptimization, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
        flag(&same.seamlessCubemap, CU_TRSF_SEAMLESS_CUBEMAP);
        if (b == 8 && one.kind == cudaChannelFormatKindUnsigned && floats) flag(&same.sRGB, CU_TRSF_SRGB);
        CUtexObject object = 0;
        REQUIRE(cuTexObjectCreate(&object, &resource, &how, nullptr) == CUDA_SUCCESS);
        expect_object(object, wanted, same);
        CHECK(cuTexObjectDestroy(object) == CUDA_SUCCESS);
      }
      free_places(places);
    }
  cudaGetLastError();
}

// ---- graphs ----

namespace {

struct Node {
  cudaGraphNodeType type;
  std::vector<cudaGraphNode_t> after;
};
struct Graph {
  std::vector<cudaGraphNode_t> nodes;  // as they were added
  std::map<cudaGraphNode_t, Node> about;
};
using Edges = std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>>;

// Lists are given in full, in parts, and their length alone; in any order.
template <typename Call>
void expect_list(const Call& call, std::vector<cudaGraphNode_t> wanted) {
  size_t count = 99;
  CHECK(call(nullptr, &count) == cudaSuccess);
  CHECK(count == wanted.size());
  std::vector<cudaGraphNode_t> got(wanted.size() + 2, nullptr);
  count = got.size();
  CHECK(call(got.data(), &count) == cudaSuccess);
  CHECK(count == wanted.size());
  CHECK((got[wanted.size()] == nullptr && got[wanted.size() + 1] == nullptr));
  got.resize(wanted.size());
  if (wanted.size() > 1) {
    std::vector<cudaGraphNode_t> part(wanted.size(), nullptr);
    count = 1;
    CHECK(call(part.data(), &count) == cudaSuccess);
    CHECK((part[0] == got[0] && part[1] == nullptr));
  }
  CHECK(std::multiset<cudaGraphNode_t>(got.begin(), got.end()) == std::multiset<cudaGraphNode_t>(wanted.begin(), wanted.end()));
  CHECK(call(got.data(), nullptr) == cudaErrorInvalidValue);
}

void expect_graph(cudaGraph_t graph, const Graph& model) {
  std::vector<cudaGraphNode_t> roots;
  Edges edges;
  for (const cudaGraphNode_t node : model.nodes) {
    const Node& one = model.about.at(node);
    if (one.after.empty()) roots.push_back(node);
    std::vector<cudaGraphNode_t> dependents;
    for (const cudaGraphNode_t before : one.after) edges.emplace_back(before, node);
    for (const auto& [other, about] : model.about)
      dependents.insert(dependents.end(), std::count(about.after.begin(), about.after.end(), node), other);
    expect_list([&](cudaGraphNode_t* to, size_t* count) { return cudaGraphNodeGetDependencies(node, to, count); }, one.after);
    expect_list([&](cudaGraphNode_t* to, size_t* count) { return cudaGraphNodeGetDependentNodes(node, to, count); }, dependents);
    cudaGraphNodeType type = cudaGraphNodeTypeConditional;
    CHECK(cudaGraphNodeGetType(node, &type) == cudaSuccess);
    CHECK(type == one.type);
  }
  expect_list([&](cudaGraphNode_t* to, size_t* count) { return cudaGraphGetNodes(graph, to, count); }, model.nodes);
  expect_list([&](cudaGraphNode_t* to, size_t* count) { return cudaGraphGetRootNodes(graph, to, count); }, roots);
  size_t count = 99;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &count) == cudaSuccess);
  CHECK(count == edges.size());
  std::vector<cudaGraphNode_t> from(count), to(count);
  CHECK(cudaGraphGetEdges(graph, from.data(), to.data(), &count) == cudaSuccess);
  Edges got;
  for (size_t i = 0; i < count; i++) got.emplace_back(from[i], to[i]);
  CHECK(std::multiset<Edges::value_type>(got.begin(), got.end()) == std::multiset<Edges::value_type>(edges.begin(), edges.end()));
}

// What is printed: each node once with the name of its type, and each edge between the right ones.
void expect_dot(cudaGraph_t graph, const Graph& model) {
  const std::map<cudaGraphNodeType, std::string> names = {
      {cudaGraphNodeTypeKernel, "kernel"}, {cudaGraphNodeTypeMemcpy, "copy"},         {cudaGraphNodeTypeMemset, "memset"},
      {cudaGraphNodeTypeHost, "host function"}, {cudaGraphNodeTypeGraph, "graph"},    {cudaGraphNodeTypeEmpty, "empty"},
      {cudaGraphNodeTypeWaitEvent, "wait for event"}, {cudaGraphNodeTypeEventRecord, "record event"}, {cudaGraphNodeTypeMemAlloc, "node"}};
  std::string wanted = "digraph graph_of_cuda {\n", edges;
  std::map<cudaGraphNode_t, std::string> number;
  for (const cudaGraphNode_t node : model.nodes) {
    number[node] = "n" + std::to_string(number.size() - (number.count(node) != 0));
    wanted += "  " + number[node] + " [label=\"" + names.at(model.about.at(node).type) + "\"]\n";
  }
  for (const cudaGraphNode_t node : model.nodes)
    for (const cudaGraphNode_t before : model.about.at(node).after) edges += "  " + number[before] + " -> " + number[node] + "\n";
  const std::string file = "/tmp/cpu_device_answers_test." + std::to_string(getpid()) + ".dot";
  CHECK(cudaGraphDebugDotPrint(graph, file.c_str(), 0) == cudaSuccess);
  std::ifstream stream(file);
  CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == wanted + edges + "}\n");
  remove(file.c_str());
  CHECK(cudaGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0) == cudaErrorOperatingSystem);
}

void append(void* list) {
  auto* one = static_cast<std::pair<std::vector<int>*, int>*>(list);
  one->first->push_back(one->second);
}

}  // namespace

TEST_CASE("graphs: nodes and edges that come and go, against a model") {
  int* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  cudaEvent_t events[2];
  for (cudaEvent_t& event : events) REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  for (int seed = 0; seed < 12; seed++) {
    CAPTURE(seed);
    cudaGraph_t graph = nullptr, child = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphCreate(&child, 0) == cudaSuccess);
    Graph model;
    std::vector<int> done;
    std::map<cudaGraphNode_t, std::pair<std::vector<int>*, int>> ids;  // of the host nodes
    std::map<cudaGraphNode_t, cudaEvent_t> event_of;
    std::vector<std::unique_ptr<std::pair<std::vector<int>*, int>>> data;
    for (int step = 0; step < 40; step++) {
      CAPTURE(step);
      const int what = model.nodes.size() < 3 ? 0 : below(10);
      if (what < 5) {
        std::vector<cudaGraphNode_t> after;
        for (const cudaGraphNode_t node : model.nodes)
          if (below(4) == 0) after.push_back(node);
        cudaGraphNode_t node = nullptr;
        cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        cudaError_t error = cudaErrorUnknown;
        cudaEvent_t event = events[below(2)];
        switch (below(6)) {
          case 0: error = cudaGraphAddEmptyNode(&node, graph, after.data(), after.size()); break;
          case 1: {
            type = cudaGraphNodeTypeMemset;
            cudaMemsetParams set = {};
            set.dst = memory, set.elementSize = 4, set.value = 5, set.width = 4, set.height = 1;
            error = cudaGraphAddMemsetNode(&node, graph, after.data(), after.size(), &set);
            break;
          }
          case 2:
            type = cudaGraphNodeTypeMemcpy;
            error = cudaGraphAddMemcpyNode1D(&node, graph, after.data(), after.size(), memory, memory + 8, 16, cudaMemcpyDeviceToDevice);
            break;
          case 3:
            type = below(2) == 0 ? cudaGraphNodeTypeEventRecord : cudaGraphNodeTypeWaitEvent;
            error = type == cudaGraphNodeTypeEventRecord ? cudaGraphAddEventRecordNode(&node, graph, after.data(), after.size(), event)
                                                         : cudaGraphAddEventWaitNode(&node, graph, after.data(), after.size(), event);
            event_of[node] = event;
            break;
          case 4:
            type = cudaGraphNodeTypeGraph;
            error = cudaGraphAddChildGraphNode(&node, graph, after.data(), after.size(), child);
            break;
          default: {
            type = cudaGraphNodeTypeHost;
            data.push_back(std::make_unique<std::pair<std::vector<int>*, int>>(&done, step));
            cudaHostNodeParams host = {append, data.back().get()};
            error = cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &host);
            ids[node] = *data.back();
          }
        }
        REQUIRE(error == cudaSuccess);
        model.nodes.push_back(node);
        model.about[node] = {type, after};
      } else if (what < 7) {
        // An edge from an earlier node to a later one.
        const int later = 1 + below(int(model.nodes.size()) - 1);
        const cudaGraphNode_t to = model.nodes[later], from = model.nodes[below(later)];
        auto& after = model.about[to].after;
        const bool is_there = std::count(after.begin(), after.end(), from) != 0;
        if (is_there || what == 5) {
          CHECK(cudaGraphRemoveDependencies(graph, &from, &to, 1) == (is_there ? cudaSuccess : cudaErrorInvalidValue));
          after.erase(std::remove(after.begin(), after.end(), from), after.end());
        } else {
          CHECK(cudaGraphAddDependencies(graph, &from, &to, 1) == cudaSuccess);
          after.push_back(from);
        }
      } else if (what == 7) {
        const auto chosen = model.nodes.begin() + below(int(model.nodes.size()));
        const cudaGraphNode_t node = *chosen;
        CHECK(cudaGraphDestroyNode(node) == cudaSuccess);
        model.nodes.erase(chosen);
        model.about.erase(node), ids.erase(node), event_of.erase(node);
        for (auto& [other, about] : model.about) about.after.erase(std::remove(about.after.begin(), about.after.end(), node), about.after.end());
      } else {
        const cudaGraphNode_t node = model.nodes[below(int(model.nodes.size()))];
        const cudaGraphNodeType type = model.about[node].type;
        cudaEvent_t got = nullptr;
        cudaGraph_t inside = nullptr;
        CHECK(cudaGraphChildGraphNodeGetGraph(node, &inside) == (type == cudaGraphNodeTypeGraph ? cudaSuccess : cudaErrorInvalidValue));
        if (type == cudaGraphNodeTypeEventRecord) CHECK(cudaGraphEventRecordNodeGetEvent(node, &got) == cudaSuccess);
        if (type == cudaGraphNodeTypeWaitEvent) CHECK(cudaGraphEventWaitNodeGetEvent(node, &got) == cudaSuccess);
        if (event_of.count(node) != 0) CHECK(got == event_of[node]);
        if (type == cudaGraphNodeTypeEmpty) CHECK(cudaGraphEventRecordNodeGetEvent(node, &got) == cudaErrorInvalidValue);
      }
      cudaGetLastError();
      if (step % 8 == 7) expect_graph(graph, model), expect_dot(graph, model);
    }
    // A clone is the same graph, of other nodes.
    cudaGraph_t clone = nullptr;
    REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
    Graph cloned;
    std::map<cudaGraphNode_t, cudaGraphNode_t> copy_of;
    for (const cudaGraphNode_t node : model.nodes) {
      cudaGraphNode_t copy = nullptr;
      CHECK(cudaGraphNodeFindInClone(&copy, node, clone) == cudaSuccess);
      CHECK(copy != node);
      copy_of[node] = copy;
      cloned.nodes.push_back(copy);
    }
    for (const auto& [node, about] : model.about)
      for (const cudaGraphNode_t before : about.after) cloned.about[copy_of[node]].after.push_back(copy_of[before]);
    for (const auto& [node, about] : model.about) cloned.about[copy_of[node]].type = about.type;
    expect_graph(clone, cloned);
    cudaGraphNode_t none = nullptr;
    CHECK(cudaGraphNodeFindInClone(&none, copy_of.begin()->second, clone) == cudaErrorInvalidValue);
    // Launched: each host node once, after those that it depends on.
    for (const cudaGraph_t launched : {graph, clone, graph}) {
      cudaGraphExec_t executable = nullptr;
      REQUIRE(cudaGraphInstantiate(&executable, launched, 0) == cudaSuccess);
      done.clear();
      REQUIRE(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      std::multiset<int> wanted;
      for (const auto& [node, id] : ids) wanted.insert(id.second);
      CHECK(std::multiset<int>(done.begin(), done.end()) == wanted);
      for (const auto& [node, id] : ids)
        for (const cudaGraphNode_t before : model.about[node].after)
          if (ids.count(before) != 0)
            CHECK(std::find(done.begin(), done.end(), ids[before].second) < std::find(done.begin(), done.end(), id.second));
      CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
    }
    CHECK(cudaGraphDestroy(clone) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaGraphDestroy(child) == cudaSuccess);
  }
  for (const cudaEvent_t event : events) CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  cudaGetLastError();
}

namespace {

__global__ void nothing() {}
__global__ void add_one(int* to, int by) { *to += by; }

}  // namespace

TEST_CASE("graphs: the nodes of a clone have the parameters of the original's, and parts of their own") {
  int* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, 4096) == cudaSuccess);
  cudaGraph_t graph = nullptr, clone = nullptr, child = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&child, 0) == cudaSuccess);
  int by = 5;
  void* arguments[] = {&memory, &by};
  cudaGraphNode_t nodes[7];
  cudaKernelNodeParams kernel = {reinterpret_cast<void*>(add_one), dim3(1, 2, 3), dim3(4, 5, 6), 7, arguments, nullptr}, kernel_too = {};
  cudaMemsetParams set = {}, set_too = {};
  set.dst = memory + 100, set.elementSize = 2, set.value = 9, set.width = 3, set.height = 2, set.pitch = 64;
  cudaMemcpy3DParms copy = {}, copy_too = {};
  copy.srcPtr = make_cudaPitchedPtr(memory + 200, 32, 32, 2), copy.dstPtr = make_cudaPitchedPtr(memory + 300, 64, 32, 2);
  copy.extent = make_cudaExtent(8, 2, 1), copy.kind = cudaMemcpyDefault, copy.srcPos = make_cudaPos(1, 0, 0);
  std::vector<int> done;
  std::pair<std::vector<int>*, int> id(&done, 3);
  cudaHostNodeParams host = {append, &id}, host_too = {};
  cudaEvent_t event = nullptr, event_too = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddMemsetNode(&nodes[1], graph, nullptr, 0, &set) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode(&nodes[2], graph, nullptr, 0, &copy) == cudaSuccess);
  REQUIRE(cudaGraphAddHostNode(&nodes[3], graph, nullptr, 0, &host) == cudaSuccess);
  REQUIRE(cudaGraphAddEventRecordNode(&nodes[4], graph, nodes, 4, event) == cudaSuccess);
  REQUIRE(cudaGraphAddChildGraphNode(&nodes[5], graph, nullptr, 0, child) == cudaSuccess);
  cudaGraphNodeParams loop = {};
  cudaGraphConditionalHandle handle = 0;
  REQUIRE(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault) == cudaSuccess);
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = handle, loop.conditional.type = cudaGraphCondTypeIf, loop.conditional.size = 1;
  REQUIRE(cudaGraphAddNode(&nodes[6], graph, nullptr, 0, &loop) == cudaSuccess);
  cudaGraphNode_t inner;
  REQUIRE(cudaGraphAddHostNode(&inner, loop.conditional.phGraph_out[0], nullptr, 0, &host) == cudaSuccess);
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  for (cudaGraphNode_t& node : nodes) REQUIRE(cudaGraphNodeFindInClone(&node, node, clone) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphKernelNodeGetParams(nodes[0], &kernel_too) == cudaSuccess);
  CHECK(kernel_too.func == kernel.func);
  CHECK((kernel_too.gridDim.x == 1 && kernel_too.gridDim.y == 2 && kernel_too.gridDim.z == 3));
  CHECK((kernel_too.blockDim.x == 4 && kernel_too.blockDim.y == 5 && kernel_too.blockDim.z == 6 && kernel_too.sharedMemBytes == 7));
  CHECK(cudaGraphMemsetNodeGetParams(nodes[1], &set_too) == cudaSuccess);
  CHECK((set_too.dst == set.dst && set_too.elementSize == 2 && set_too.value == 9 && set_too.width == 3 && set_too.height == 2 && set_too.pitch == 64));
  CHECK(cudaGraphMemcpyNodeGetParams(nodes[2], &copy_too) == cudaSuccess);
  CHECK((copy_too.srcPtr.ptr == copy.srcPtr.ptr && copy_too.dstPtr.pitch == 64 && copy_too.extent.height == 2 && copy_too.srcPos.x == 1));
  CHECK(cudaGraphHostNodeGetParams(nodes[3], &host_too) == cudaSuccess);
  CHECK((host_too.fn == append && host_too.userData == &id));
  CHECK(cudaGraphEventRecordNodeGetEvent(nodes[4], &event_too) == cudaSuccess);
  CHECK(event_too == event);
  cudaGraph_t child_too = nullptr;
  CHECK(cudaGraphChildGraphNodeGetGraph(nodes[5], &child_too) == cudaSuccess);
  // Switched off in what was instantiated, it is off only there.
  cudaGraphExec_t executable = nullptr, all = nullptr;
  cudaGraphNode_t error_node = nodes[0];
  char log[2] = {'x', 'y'};
  REQUIRE(cudaGraphInstantiate(&all, clone, &error_node, log, size_t(0)) == cudaSuccess);
  CHECK((error_node == nullptr && log[0] == 'x'));
  REQUIRE(cudaGraphInstantiate(&executable, clone, &error_node, log, size_t(1)) == cudaSuccess);
  CHECK((log[0] == '\0' && log[1] == 'y'));
  CHECK(cudaGraphNodeSetEnabled(executable, nodes[3], 0) == cudaSuccess);
  unsigned enabled = 9;
  CHECK(cudaGraphNodeGetEnabled(executable, nodes[3], &enabled) == cudaSuccess);
  CHECK(enabled == 0);
  CHECK(cudaGraphNodeGetEnabled(all, nodes[3], &enabled) == cudaSuccess);
  CHECK(enabled == 1);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  *memory = 0;
  REQUIRE(cudaGraphLaunch(executable, streams[0]) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(*memory >= 5);  // the event comes after the kernel
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(done.size() == 1);  // only the part of the condition
  // The second launch begins after the first one, also in another stream.
  done.clear();
  for (const cudaStream_t stream : streams) REQUIRE(cudaGraphLaunch(all, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(streams[1]) == cudaSuccess);
  CHECK(done.size() == 4);
  done.clear();
  std::vector<std::pair<std::vector<int>*, int>> links = {{&done, 0}, {&done, 1}, {&done, 2}};
  cudaGraph_t chain = nullptr;
  cudaGraphExec_t of_chain = nullptr;
  cudaGraphNode_t link[3];
  REQUIRE(cudaGraphCreate(&chain, 0) == cudaSuccess);
  for (int i = 0; i < 3; i++) {
    cudaHostNodeParams what = {append, &links[i]};
    REQUIRE(cudaGraphAddHostNode(&link[i], chain, i == 0 ? nullptr : &link[i - 1], i == 0 ? 0 : 1, &what) == cudaSuccess);
  }
  REQUIRE(cudaGraphInstantiate(&of_chain, chain, 0) == cudaSuccess);
  for (const cudaStream_t stream : {streams[0], streams[1], streams[0]}) REQUIRE(cudaGraphLaunch(of_chain, stream) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(done == std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2});
  CHECK(cudaGraphExecDestroy(of_chain) == cudaSuccess);
  CHECK(cudaGraphDestroy(chain) == cudaSuccess);
  // Copies of several rows cannot be replaced, neither the old one nor by a new one.
  cudaMemcpy3DParms row = copy;
  row.extent.height = 1;
  CHECK(cudaGraphExecMemcpyNodeSetParams(all, nodes[2], &row) == cudaErrorInvalidValue);
  CHECK(cudaGraphMemcpyNodeSetParams(nodes[2], &row) == cudaSuccess);
  cudaGraphExec_t of_row = nullptr;
  REQUIRE(cudaGraphInstantiate(&of_row, clone, 0) == cudaSuccess);
  CHECK(cudaGraphExecMemcpyNodeSetParams(of_row, nodes[2], &copy) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecMemcpyNodeSetParams(of_row, nodes[2], &row) == cudaSuccess);
  row.extent = make_cudaExtent(8, 1, 2), row.srcPtr.ysize = row.dstPtr.ysize = 1;
  CHECK(cudaGraphExecMemcpyNodeSetParams(of_row, nodes[2], &row) == cudaErrorInvalidValue);
  for (const cudaGraphExec_t one : {executable, all, of_row}) CHECK(cudaGraphExecDestroy(one) == cudaSuccess);
  for (const cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaGraphDestroy(clone) == cudaSuccess);
  CHECK(cudaGraphDestroy(child) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  unsigned long long used = 7;
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used == 0);
  cudaGetLastError();
}

// ---- what is refused ----

namespace {

template <typename T>
T* no() { return nullptr; }

// The error is returned, and is the last one, once.
void refused(const char* call, cudaError_t got, cudaError_t wanted) {
  CAPTURE(call);
  CHECK(got == wanted);
  CHECK(cudaGetLastError() == wanted);
  CHECK(cudaGetLastError() == cudaSuccess);
}
void refused(const char* call, CUresult got, CUresult wanted) {
  CAPTURE(call);
  CHECK(got == wanted);
  cudaGetLastError();
}
#define REFUSED(ERROR, ...) refused(#__VA_ARGS__, __VA_ARGS__, ERROR)
#define INVALID(...) REFUSED(cudaErrorInvalidValue, __VA_ARGS__)
#define INVALID_TOO(...) REFUSED(CUDA_ERROR_INVALID_VALUE, __VA_ARGS__)

}  // namespace

TEST_CASE("pointers that are NULL, and what is not of the kind that a call needs: memory, textures, pools") {
  REQUIRE(cudaFree(nullptr) == cudaSuccess);
  void* pointer = nullptr;
  size_t pitch = 0;
  unsigned flags = 0;
  static int of_host[64];
  const Places places = make_places(cudaCreateChannelDesc<float>());
  INVALID(cudaMalloc(no<void*>(), 4));
  INVALID(cudaMallocPitch(no<void*>(), &pitch, 4, 4));
  INVALID(cudaMallocPitch(&pointer, nullptr, 4, 4));
  INVALID(cudaMalloc3D(nullptr, make_cudaExtent(4, 4, 4)));
  INVALID(cudaMallocManaged(no<void*>(), 4));
  INVALID(cudaMallocHost(no<void*>(), 4));
  INVALID(cudaHostAlloc(no<void*>(), 4, 0));
  INVALID(cudaHostAlloc(&pointer, 4, 8));
  INVALID(cudaHostGetFlags(&flags, of_host));
  INVALID(cudaHostRegister(nullptr, 4, 0));
  INVALID(cudaHostRegister(of_host, 0, 0));
  REFUSED(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(of_host));
  INVALID(cudaFree(of_host));
  INVALID(cudaFreeHost(of_host));
  INVALID(cudaFreeHost(places.memory));
  INVALID(cudaFree(places.memory + 4));
  INVALID(cudaMallocArray(no<cudaArray_t>(), &places.format, 4, 4));
  INVALID(cudaMalloc3DArray(no<cudaArray_t>(), &places.format, make_cudaExtent(4, 4, 4)));
  INVALID(cudaMallocMipmappedArray(no<cudaMipmappedArray_t>(), &places.format, make_cudaExtent(4, 4, 0), 2));
  INVALID(cudaGetMipmappedArrayLevel(no<cudaArray_t>(), places.levels, 0));
  INVALID(cudaMemcpy3D(nullptr));
  INVALID(cudaMemcpy3DAsync(nullptr, nullptr));
  // A level belongs to the whole, which alone is freed.
  for (unsigned level = 0; level < 5; level++) {
    cudaArray_t array = nullptr;
    if (level == 4) {
      INVALID(cudaGetMipmappedArrayLevel(&array, places.levels, level));
      continue;
    }
    CHECK(cudaGetMipmappedArrayLevel(&array, places.levels, level) == cudaSuccess);
    CHECK(cudaFreeArray(array) == cudaSuccess);
    cudaExtent extent;
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, array) == cudaSuccess);
    CHECK((extent.width == 16u >> level && extent.height == std::max(8u >> level, 1u)));
  }

  cudaResourceDesc resource = {}, got;
  cudaTextureDesc how = {}, got_how;
  cudaResourceViewDesc view;
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  resource.resType = cudaResourceTypeArray, resource.res.array.array = places.array;
  INVALID(cudaCreateTextureObject(nullptr, &resource, &how, nullptr));
  INVALID(cudaCreateTextureObject(&texture, nullptr, &how, nullptr));
  INVALID(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr));
  INVALID(cudaCreateSurfaceObject(nullptr, &resource));
  INVALID(cudaCreateSurfaceObject(&surface, nullptr));
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
  REQUIRE(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  INVALID(cudaGetTextureObjectResourceDesc(nullptr, texture));
  INVALID(cudaGetTextureObjectTextureDesc(nullptr, texture));
  INVALID(cudaGetTextureObjectResourceViewDesc(nullptr, texture));
  INVALID(cudaGetSurfaceObjectResourceDesc(nullptr, surface));
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  for (const cudaTextureObject_t gone : {texture, cudaTextureObject_t(0)}) {
    INVALID(cudaGetTextureObjectResourceDesc(&got, gone));
    INVALID(cudaGetTextureObjectTextureDesc(&got_how, gone));
    INVALID(cudaGetTextureObjectResourceViewDesc(&view, gone));
  }
  INVALID(cudaDestroyTextureObject(texture));
  INVALID(cudaDestroySurfaceObject(surface));
  resource.res.array.array = nullptr;
  INVALID(cudaCreateSurfaceObject(&surface, &resource));
  resource.resType = cudaResourceTypeLinear;
  INVALID(cudaCreateSurfaceObject(&surface, &resource));

  const textureReference* reference = nullptr;
  const surfaceReference* of_surface = nullptr;
  size_t offset = 0;
  INVALID(cudaBindTexture(nullptr, &plain_line, places.memory, nullptr, 16));
  INVALID(cudaBindTexture2D(nullptr, &plain_plane, places.memory, nullptr, 4, 4, 512));
  REFUSED(cudaErrorInvalidTexture, cudaBindTexture(nullptr, no<textureReference>(), places.memory, &places.format, 16));
  REFUSED(cudaErrorInvalidTexture, cudaBindTexture2D(nullptr, no<textureReference>(), places.memory, &places.format, 4, 4, 512));
  REFUSED(cudaErrorInvalidTexture, cudaBindTextureToArray(no<textureReference>(), places.array, &places.format));
  REFUSED(cudaErrorInvalidTexture, cudaUnbindTexture(no<textureReference>()));
  REFUSED(cudaErrorInvalidTexture, cudaGetTextureAlignmentOffset(&offset, no<textureReference>()));
  REFUSED(cudaErrorInvalidTexture, cudaGetTextureAlignmentOffset(nullptr, &plain_line));
  REFUSED(cudaErrorInvalidTexture, cudaGetTextureReference(nullptr, &plain_line));
  REFUSED(cudaErrorInvalidTexture, cudaGetTextureReference(&reference, nullptr));
  REFUSED(cudaErrorInvalidTexture, cudaGetTextureReference(&reference, of_host));
  REFUSED(cudaErrorInvalidSurface, cudaBindSurfaceToArray(no<surfaceReference>(), places.array, &places.format));
  REFUSED(cudaErrorInvalidSurface, cudaGetSurfaceReference(nullptr, &first_surface));
  REFUSED(cudaErrorInvalidSurface, cudaGetSurfaceReference(&of_surface, nullptr));

  cudaMemPool_t pool = nullptr, same = nullptr;
  cudaMemPoolProps props = {};
  cudaMemLocation where = {};
  unsigned long long value = 0;
  where.type = cudaMemLocationTypeDevice;
  INVALID(cudaMemGetDefaultMemPool(nullptr, &where, cudaMemAllocationTypePinned));
  INVALID(cudaMemGetDefaultMemPool(&pool, nullptr, cudaMemAllocationTypePinned));
  REFUSED(cudaErrorNotSupported, cudaMemGetDefaultMemPool(&pool, &where, cudaMemAllocationTypeManaged));
  INVALID(cudaMemGetDefaultMemPool(&pool, &where, cudaMemAllocationTypeInvalid));
  CHECK(cudaMemGetDefaultMemPool(&pool, &where, cudaMemAllocationTypePinned) == cudaSuccess);
  CHECK(cudaDeviceGetDefaultMemPool(&same, 0) == cudaSuccess);
  CHECK(pool == same);
  where.id = 1;
  REFUSED(cudaErrorInvalidDevice, cudaMemGetDefaultMemPool(&pool, &where, cudaMemAllocationTypePinned));
  where.type = cudaMemLocationTypeInvalid;
  INVALID(cudaMemGetDefaultMemPool(&pool, &where, cudaMemAllocationTypePinned));
  where.type = cudaMemLocationTypeHost;
  cudaMemPool_t of_pinned = nullptr, again = nullptr;
  CHECK(cudaMemGetDefaultMemPool(&of_pinned, &where, cudaMemAllocationTypePinned) == cudaSuccess);
  CHECK(cudaMemGetDefaultMemPool(&again, &where, cudaMemAllocationTypePinned) == cudaSuccess);
  CHECK((of_pinned == again && of_pinned != same));
  int location = 9;
  CHECK(cudaMemPoolGetAttribute(of_pinned, cudaMemPoolAttrLocationType, &location) == cudaSuccess);
  CHECK(location == cudaMemLocationTypeHost);
  for (const cudaMemPool_t fixed : {same, of_pinned}) INVALID(cudaMemPoolDestroy(fixed));
  INVALID(cudaMemPoolDestroy(nullptr));
  INVALID(cudaMemPoolCreate(&pool, nullptr));
  INVALID(cudaDeviceSetMemPool(0, nullptr));
  INVALID(cudaDeviceSetMemPool(1, same));
  INVALID(cudaDeviceGetMemPool(&pool, 1));
  INVALID(cudaMemPoolGetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold, &value));
  INVALID(cudaMemPoolGetAttribute(same, cudaMemPoolAttrReleaseThreshold, nullptr));
  INVALID(cudaMemPoolSetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold, &value));
  INVALID(cudaMemPoolSetAttribute(same, cudaMemPoolAttrReleaseThreshold, nullptr));
  props.allocType = cudaMemAllocationTypeManaged, props.location.type = cudaMemLocationTypeDevice;
  REFUSED(cudaErrorNotSupported, cudaMemPoolCreate(&pool, &props));
  props.allocType = cudaMemAllocationTypePinned;
  props.location.id = 1;
  INVALID(cudaMemPoolCreate(&pool, &props));
  props.location.id = 0;
  // A pool that is gone: the device's is the default one again, and what was taken stays until it is freed.
  REQUIRE(cudaMemPoolCreate(&pool, &props) == cudaSuccess);
  CHECK(cudaDeviceSetMemPool(0, pool) == cudaSuccess);
  void* taken = nullptr;
  CHECK(cudaMallocAsync(&taken, 4096, nullptr) == cudaSuccess);
  CHECK(cudaMemset(taken, 7, 4096) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value) == cudaSuccess);
  CHECK(value >= 4096);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  CHECK(cudaDeviceGetMemPool(&again, 0) == cudaSuccess);
  CHECK(again == same);
  unsigned char last = 0;
  CHECK(cudaMemcpy(&last, static_cast<char*>(taken) + 4095, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(last == 7);
  CHECK(cudaFreeAsync(taken, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  free_places(places);
}

TEST_CASE("pointers that are NULL, and what is not of the kind that a call needs: graphs, captures, the driver interface") {
  cudaGraph_t graph = nullptr, other = nullptr;
  cudaGraphNode_t node = nullptr, empty = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNodeType type;
  cudaEvent_t event = nullptr;
  size_t count = 0;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0) == cudaSuccess);
  INVALID(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  INVALID(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0));
  INVALID(cudaGraphAddEmptyNode(&node, graph, nullptr, 1));
  INVALID(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, nullptr));
  INVALID(cudaGraphAddMemFreeNode(&node, nullptr, nullptr, 0, &node));
  INVALID(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, nullptr));
  INVALID(cudaGraphDestroy(nullptr));
  INVALID(cudaGraphClone(nullptr, graph));
  INVALID(cudaGraphClone(&other, nullptr));
  INVALID(cudaGraphInstantiate(nullptr, graph, 0));
  INVALID(cudaGraphInstantiate(&executable, nullptr, 0));
  INVALID(cudaGraphLaunch(nullptr, nullptr));
  INVALID(cudaGraphUpload(nullptr, nullptr));
  INVALID(cudaGraphGetNodes(nullptr, nullptr, &count));
  INVALID(cudaGraphGetRootNodes(nullptr, nullptr, &count));
  INVALID(cudaGraphGetEdges(nullptr, nullptr, nullptr, &count));
  INVALID(cudaGraphNodeGetDependencies(nullptr, nullptr, &count));
  INVALID(cudaGraphNodeGetDependentNodes(nullptr, nullptr, &count));
  INVALID(cudaGraphNodeGetType(nullptr, &type));
  INVALID(cudaGraphNodeGetType(empty, nullptr));
  INVALID(cudaGraphDestroyNode(nullptr));
  INVALID(cudaGraphEventRecordNodeGetEvent(nullptr, &event));
  INVALID(cudaGraphEventWaitNodeGetEvent(empty, &event));
  INVALID(cudaGraphChildGraphNodeGetGraph(nullptr, &other));
  cudaGraphConditionalHandle handle = 0;
  INVALID(cudaGraphConditionalHandleCreate(nullptr, graph));
  INVALID(cudaGraphConditionalHandleCreate(&handle, nullptr));
  cudaStream_t first = nullptr, second = nullptr;
  REQUIRE(cudaStreamCreate(&first) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&second) == cudaSuccess);
  INVALID(cudaStreamBeginCaptureToGraph(first, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  REFUSED(cudaErrorIllegalState, cudaStreamUpdateCaptureDependencies(first, &node, size_t(0), 0u));
  REFUSED(cudaErrorIllegalState, cudaStreamEndCapture(first, &other));
  // A capture ends in the stream where it began.
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaEventRecord(event, second) == cudaSuccess);  // what happened before the capture does not matter in it
  cudaStreamCaptureStatus before = cudaStreamCaptureStatusActive;
  unsigned long long id = 7;
  CHECK(cudaStreamGetCaptureInfo(first, &before, &id, nullptr, nullptr, nullptr, nullptr) == cudaSuccess);
  CHECK((before == cudaStreamCaptureStatusNone && id == 7));
  REQUIRE(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REFUSED(cudaErrorIllegalState, cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  REQUIRE(cudaEventRecord(event, first) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(second, event, 0) == cudaSuccess);
  cudaStreamCaptureStatus status[2];
  CHECK(cudaStreamIsCapturing(second, &status[0]) == cudaSuccess);
  CHECK(status[0] == cudaStreamCaptureStatusActive);
  REFUSED(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(second, &other));
  nothing<<<1, 1, 0, second>>>();
  REQUIRE(cudaEventRecord(event, second) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(first, event, 0) == cudaSuccess);
  CHECK(cudaStreamEndCapture(first, &other) == cudaSuccess);
  CHECK(cudaStreamIsCapturing(second, &status[1]) == cudaSuccess);
  CHECK(status[1] == cudaStreamCaptureStatusNone);
  count = 0;
  CHECK(cudaGraphGetNodes(other, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  // A capture into the program's graph that fails leaves the graph to the program.
  cudaGraph_t given = nullptr, none = nullptr;
  REQUIRE(cudaGraphCreate(&given, 0) == cudaSuccess);
  REQUIRE(cudaStreamBeginCaptureToGraph(first, given, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal) == cudaSuccess);
  nothing<<<1, 1, 0, first>>>();
  CHECK(cudaStreamSynchronize(first) != cudaSuccess);
  cudaGetLastError();
  REFUSED(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(first, &none));
  CHECK(none == nullptr);
  CHECK(cudaGraphGetNodes(given, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGraphDestroy(given) == cudaSuccess);
  // Not the nodes of what was instantiated.
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(executable, other, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result != cudaGraphExecUpdateSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&node, graph, nullptr, 0) == cudaSuccess);
  cudaGraphExec_t two = nullptr;
  REQUIRE(cudaGraphInstantiate(&two, graph, 0) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(two, graph, &info) == cudaSuccess);
  CHECK(info.result == cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphAddDependencies(graph, &empty, &node, 1) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(two, graph, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(cudaGraphExecDestroy(two) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(executable, graph, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  cudaGetLastError();
  unsigned enabled = 9;
  INVALID(cudaGraphNodeSetEnabled(executable, node, 1));
  INVALID(cudaGraphNodeGetEnabled(executable, node, &enabled));
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(other) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaStreamDestroy(first) == cudaSuccess);
  CHECK(cudaStreamDestroy(second) == cudaSuccess);

  static int of_host[4];
  CUarray array = nullptr;
  CUtexObject texture = 0;
  CUsurfObject surface = 0;
  CUmemoryPool pool = nullptr;
  CUfunction function = nullptr;
  CUkernel kernel = nullptr;
  CUlibrary library = nullptr;
  CUmodule module = nullptr;
  CUdeviceptr memory = 0;
  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC how = {};
  void* address = nullptr;
  REQUIRE(cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
  INVALID_TOO(cuMemAlloc(&memory, 0));
  INVALID_TOO(cuMemcpy2D(nullptr));
  INVALID_TOO(cuMemcpy2DAsync(nullptr, nullptr));
  CUDA_ARRAY_DESCRIPTOR row = {8, 0, CU_AD_FORMAT_FLOAT, 1};
  CUDA_ARRAY3D_DESCRIPTOR row_too = {8, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  INVALID_TOO(cuArrayCreate(nullptr, &row));
  INVALID_TOO(cuArray3DCreate(nullptr, &row_too));
  INVALID_TOO(cuArrayCreate(&array, nullptr));
  INVALID_TOO(cuArray3DCreate(&array, nullptr));
  INVALID_TOO(cuArrayGetDescriptor(nullptr, array));
  INVALID_TOO(cuArray3DGetDescriptor(nullptr, array));
  INVALID_TOO(cuTexObjectCreate(nullptr, &resource, &how, nullptr));
  INVALID_TOO(cuTexObjectCreate(&texture, nullptr, &how, nullptr));
  INVALID_TOO(cuTexObjectCreate(&texture, &resource, nullptr, nullptr));
  INVALID_TOO(cuSurfObjectCreate(nullptr, &resource));
  INVALID_TOO(cuSurfObjectCreate(&surface, nullptr));
  INVALID_TOO(cuMemPoolCreate(&pool, nullptr));
  INVALID_TOO(cuMemPoolCreate(nullptr, nullptr));
  INVALID_TOO(cuPointerGetAttribute(of_host, CUpointer_attribute(31), memory));
  INVALID_TOO(cuPointerGetAttribute(of_host, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CUdeviceptr(of_host)));
  INVALID_TOO(cuMemsetD32(memory, 1, 17));
  INVALID_TOO(cuMemsetD32(memory + 2, 1, 1));
  INVALID_TOO(cuMemsetD16(memory + 1, 1, 1));
  INVALID_TOO(cuMemsetD8(CUdeviceptr(of_host), 1, 1));
  INVALID_TOO(cuMemGetAddressRange(&memory, no<size_t>(), CUdeviceptr(of_host)));
  INVALID_TOO(cuLaunchKernelEx(nullptr, nullptr, nullptr, nullptr));
  INVALID_TOO(cuGraphAddKernelNode(&node, nullptr, nullptr, 0, nullptr));
  INVALID_TOO(cuKernelGetFunction(nullptr, kernel));
  INVALID_TOO(cuKernelGetFunction(&function, nullptr));
  REFUSED(CUDA_ERROR_INVALID_HANDLE, cuFuncLoad(reinterpret_cast<CUfunction>(of_host)));
  INVALID_TOO(cuModuleLoadData(nullptr, "text"));
  INVALID_TOO(cuModuleLoadData(&module, nullptr));
  REFUSED(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/no/such/file.cubin"));
  INVALID_TOO(cuModuleGetFunction(nullptr, module, "name"));
  INVALID_TOO(cuModuleGetFunction(&function, nullptr, "name"));
  INVALID_TOO(cuModuleGetGlobal(&memory, no<size_t>(), nullptr, "name"));
  INVALID_TOO(cuLibraryLoadData(nullptr, "text", nullptr, nullptr, 0, nullptr, nullptr, 0));
  INVALID_TOO(cuLibraryLoadFromFile(nullptr, "file", nullptr, nullptr, 0, nullptr, nullptr, 0));
  REFUSED(CUDA_ERROR_FILE_NOT_FOUND, cuLibraryLoadFromFile(&library, "/no/such/file.cubin", nullptr, nullptr, 0, nullptr, nullptr, 0));
  INVALID_TOO(cuLibraryUnload(nullptr));
  INVALID_TOO(cuLibraryGetKernel(&kernel, nullptr, "name"));
  INVALID_TOO(cuLibraryGetModule(&module, nullptr));
  INVALID_TOO(cuLibraryGetGlobal(&memory, no<size_t>(), nullptr, "name"));
  REFUSED(CUDA_ERROR_INVALID_HANDLE, cuKernelGetLibrary(&library, reinterpret_cast<CUkernel>(of_host)));
  INVALID_TOO(cuGetProcAddress(nullptr, &address, 13000, 0, nullptr));
  INVALID_TOO(cuGetProcAddress("cuInit", nullptr, 13000, 0, nullptr));
  REFUSED(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNothing", &address, 13000, 0, nullptr));
  INVALID_TOO(cuDeviceGetName(nullptr, 9, 0));
  INVALID_TOO(cuDeviceGetName(reinterpret_cast<char*>(of_host), 0, 0));
  INVALID_TOO(cuCtxSynchronize() == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);

  // Entry points: with and without a place for the answer.
  cudaDriverEntryPointQueryResult answer = cudaDriverEntryPointVersionNotSufficent;
  for (const bool by_version : {false, true}) {
    const auto find = [&](const char* name, cudaDriverEntryPointQueryResult* to) {
      address = of_host;
      return by_version ? cudaGetDriverEntryPointByVersion(name, &address, CUDA_VERSION, 0, to) : cudaGetDriverEntryPoint(name, &address, 0, to);
    };
    CHECK(find("cuDriverGetVersion", &answer) == cudaSuccess);
    CHECK((answer == cudaDriverEntryPointSuccess && address != nullptr && address != of_host));
    CHECK(find("cuNothing", &answer) == cudaSuccess);
    CHECK((answer == cudaDriverEntryPointSymbolNotFound && address == nullptr));
    CHECK(find("cuDriverGetVersion", nullptr) == cudaSuccess);
    CHECK((address != nullptr && address != of_host));
    REFUSED(cudaErrorSymbolNotFound, find("cuNothing", nullptr));
  }
}

// ---- what is explained ----

namespace {

__device__ int ten_numbers[10];

// The call fails, and says these words; or it succeeds and says nothing.
template <typename Call>
void explained(cudaError_t wanted, const char* words, const Call& call) {
  cudaError_t got = cudaErrorUnknown;
  const std::string text = course::messages_of([&] { got = call(); });
  CAPTURE(std::string(words));
  CHECK(got == wanted);
  CHECK_MESSAGE((wanted == cudaSuccess ? text.empty() : course::contains(text, words)), text);
  cudaGetLastError();
}
cudaError_t with_memory(cudaGraph_t graph, void** memory) {
  cudaMemAllocNodeParams what = {};
  what.poolProps.allocType = cudaMemAllocationTypePinned, what.poolProps.location.type = cudaMemLocationTypeDevice;
  what.bytesize = 1000;
  cudaGraphNode_t node;
  const cudaError_t error = cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &what);
  *memory = what.dptr;
  return error;
}

}  // namespace

TEST_CASE("what a wrong call is told, and that the next one to it is right") {
  constexpr cudaError_t kInvalid = cudaErrorInvalidValue;
  const Places places = make_places(cudaCreateChannelDesc<float>());
  char *memory = nullptr, *pinned = nullptr, *registered = static_cast<char*>(aligned_alloc(4096, 8192));
  REQUIRE(cudaMalloc(&memory, 1000) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 1000) == cudaSuccess);
  REQUIRE(cudaHostRegister(registered, 4096, 0) == cudaSuccess);
  explained(kInvalid, "cudaFree of a pointer to the middle (byte 999) of the 1000 bytes", [&] { return cudaFree(memory + 999); });
  explained(kInvalid, "cudaFree of a pointer that no CUDA call allocated", [&] { return cudaFree(registered + 4096); });
  explained(kInvalid, "free pinned memory with cudaFreeHost()", [&] { return cudaFree(pinned); });
  explained(kInvalid, "free device memory with cudaFree()", [&] { return cudaFreeHost(memory); });
  explained(kInvalid, "memory that was only registered", [&] { return cudaFreeHost(registered); });
  explained(cudaErrorHostMemoryAlreadyRegistered, "already pinned or registered", [&] { return cudaHostRegister(registered + 4095, 4096, 0); });
  explained(cudaSuccess, "", [&] { return cudaHostRegister(registered + 4096, 4096, 0); });
  explained(cudaSuccess, "", [&] { return cudaHostUnregister(registered + 4096); });
  explained(cudaSuccess, "", [&] { return cudaHostUnregister(registered); });
  explained(cudaErrorHostMemoryNotRegistered, "is not registered", [&] { return cudaHostUnregister(registered); });
  explained(kInvalid, "is too small for 992 bytes: only 991 bytes are left", [&] { return cudaMemset(memory + 9, 0, 992); });
  explained(kInvalid, "is too small for 992 bytes: only 991 bytes are left", [&] { return cudaMemcpy(memory + 9, pinned, 992, cudaMemcpyDefault); });
  explained(cudaSuccess, "", [&] { return cudaMemcpy(memory + 9, pinned, 991, cudaMemcpyDefault); });
  explained(cudaSuccess, "", [&] { return cudaFree(memory); });
  explained(kInvalid, "of memory that was already freed", [&] { return cudaFree(memory); });
  REQUIRE(cudaMallocAsync(reinterpret_cast<void**>(&memory), 1000, nullptr) == cudaSuccess);
  explained(cudaSuccess, "", [&] { return cudaFreeAsync(memory, nullptr); });
  explained(kInvalid, "of memory that was already freed", [&] { return cudaFree(memory); });
  explained(kInvalid, "of memory that was already freed", [&] { return cudaFreeAsync(memory, nullptr); });
  explained(kInvalid, "starting at byte 8, exceeds the variable of 40 bytes", [&] { return cudaMemcpyToSymbol(ten_numbers, pinned, 33, 8); });
  explained(cudaSuccess, "", [&] { return cudaMemcpyToSymbol(ten_numbers, pinned, 32, 8); });
  explained(kInvalid, "starting at byte 41, exceeds the variable of 40 bytes", [&] { return cudaMemcpyFromSymbol(pinned, ten_numbers, 0, 41); });
  explained(cudaSuccess, "", [&] { return cudaMemcpyFromSymbol(pinned, ten_numbers, 40); });

  // A texture of the last bytes of its memory.
  cudaResourceDesc resource = {};
  cudaTextureDesc how = {};
  cudaTextureObject_t object = 0;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.desc = places.format, resource.res.linear.devPtr = places.memory + 512;
  const auto create = [&] { return cudaCreateTextureObject(&object, &resource, &how, nullptr); };
  // A GPU does not compare these two sizes. So this is told, but allowed.
  resource.res.linear.sizeInBytes = 2 * kPitch * kRows - 512 + 4;
  CHECK(course::contains(course::messages_of([&] { CHECK(create() == cudaSuccess); }), "the texture of 7684 bytes exceeds its memory: only 7680 bytes are left"));
  CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
  resource.res.linear.sizeInBytes -= 4;
  explained(cudaSuccess, "", create);
  CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
  resource.resType = cudaResourceTypePitch2D;
  for (const size_t height : {16, 15}) {
    resource.res.pitch2D = {places.memory + 512, places.format, 128, height, 512};
    explained(height == 15 ? cudaSuccess : kInvalid, "exceeds its memory: only 7680 bytes are left", create);
  }
  CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
  resource.resType = cudaResourceTypeLinear, resource.res.linear.desc = places.format;
  resource.res.linear.devPtr = places.memory + 256, resource.res.linear.sizeInBytes = 512;
  explained(kInvalid, "the texture starts at byte 256 of its memory", create);
  resource.res.linear.devPtr = registered;
  explained(kInvalid, "the memory of the texture is not device memory", create);

  // Graphs.
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t nodes[2];
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  for (cudaGraphNode_t& node : nodes) REQUIRE(cudaGraphAddEmptyNode(&node, graph, nullptr, 0) == cudaSuccess);
  for (int i = 0; i < 2; i++) REQUIRE(cudaGraphAddDependencies(graph, &nodes[i], &nodes[1 - i], 1) == cudaSuccess);
  explained(kInvalid, "the nodes of the graph depend on each other in a cycle", [&] { return cudaGraphInstantiate(&executable, graph, 0); });
  CHECK(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], 1) == cudaSuccess);
  explained(cudaSuccess, "", [&] { return cudaGraphInstantiate(&executable, graph, 0); });
  cudaHostNodeParams host = {append, nullptr};
  cudaGraphNode_t later = nullptr;
  REQUIRE(cudaGraphAddHostNode(&later, graph, nullptr, 0, &host) == cudaSuccess);
  explained(kInvalid, "this node does not belong to the graph that was instantiated", [&] { return cudaGraphExecHostNodeSetParams(executable, later, &host); });
  cudaGraphExecUpdateResultInfo info;
  explained(cudaErrorGraphExecUpdateFailure, "the graph has different nodes or dependencies", [&] { return cudaGraphExecUpdate(executable, graph, &info); });
  cudaMemsetParams set = {};
  set.dst = places.memory, set.width = 1, set.height = 1;
  for (const unsigned bytes : {0u, 3u, 8u, 1u, 2u, 4u}) {
    set.elementSize = bytes;
    explained(bytes == 1 || bytes == 2 || bytes == 4 ? cudaSuccess : kInvalid, "a memset node cannot have elements of", [&] { return cudaGraphAddMemsetNode(&later, graph, nullptr, 0, &set); });
  }
  cudaGraphNodeParams loop = {};
  loop.type = cudaGraphNodeTypeConditional, loop.conditional.type = cudaGraphCondTypeWhile;
  explained(kInvalid, "the conditional node has no handle or no bodies", [&] { return cudaGraphAddNode(&later, graph, nullptr, 0, &loop); });
  REQUIRE(cudaGraphConditionalHandleCreate(&loop.conditional.handle, graph) == cudaSuccess);
  for (const auto& [type, most] : {std::pair(cudaGraphCondTypeWhile, 1u), std::pair(cudaGraphCondTypeIf, 2u), std::pair(cudaGraphCondTypeSwitch, 9u)})
    for (unsigned size = 0; size < 5; size++) {
      loop.conditional.type = type, loop.conditional.size = size;
      explained(size > 0 && size <= most ? cudaSuccess : kInvalid, size == 0 ? "no bodies" : "a conditional node of this type has no", [&] { return cudaGraphAddNode(&later, graph, nullptr, 0, &loop); });
    }
  loop.type = cudaGraphNodeType(15);
  explained(kInvalid, "this node type does not exist", [&] { return cudaGraphAddNode(&later, graph, nullptr, 0, &loop); });
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);

  // Memory of a graph: freed by the program, by a node, or by the next launch if that is wanted.
  for (const int how_freed : {0, 1, 2, 3}) {
    CAPTURE(how_freed);
    void* of_graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(with_memory(graph, &of_graph) == cudaSuccess);
    if (how_freed == 1) {
      explained(cudaSuccess, "", [&] { return cudaGraphAddMemFreeNode(&later, graph, nullptr, 0, of_graph); });
      explained(kInvalid, "the graph has a node that frees this memory already", [&] { return cudaGraphAddMemFreeNode(&later, graph, nullptr, 0, of_graph); });
    }
    REQUIRE(cudaGraphInstantiate(&executable, graph, how_freed == 2 ? cudaGraphInstantiateFlagAutoFreeOnLaunch : 0) == cudaSuccess);
    explained(cudaSuccess, "", [&] { return cudaGraphLaunch(executable, nullptr); });
    if (how_freed == 3) explained(cudaSuccess, "", [&] { return cudaFreeAsync(of_graph, nullptr); });
    explained(how_freed == 0 ? kInvalid : cudaSuccess, "is still allocated by the previous launch", [&] { return cudaGraphLaunch(executable, nullptr); });
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    cudaFree(of_graph), cudaGetLastError();
  }

  // Captures.
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaStreamCreate(&first) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&second) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  explained(cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured", [] { return cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal); });
  explained(cudaErrorIllegalState, "this stream is not being captured", [&] { return cudaStreamEndCapture(first, &graph); });
  explained(cudaSuccess, "", [&] { return cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal); });
  explained(cudaErrorIllegalState, "this stream is already being captured", [&] { return cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal); });
  REQUIRE(cudaEventRecord(event, first) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(second, event, 0) == cudaSuccess);
  nothing<<<1, 1, 0, second>>>();
  explained(cudaErrorStreamCaptureUnmatched, "the capture started in another stream", [&] { return cudaStreamEndCapture(second, &graph); });
  explained(cudaErrorStreamCaptureUnjoined, "before one of its streams has joined the first one", [&] { return cudaStreamEndCapture(first, &graph); });
  CHECK(graph == nullptr);
  for (const cudaStream_t stream : {first, second}) explained(cudaSuccess, "", [&] { return cudaStreamSynchronize(stream); });
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  for (const cudaStream_t stream : {first, second}) CHECK(cudaStreamDestroy(stream) == cudaSuccess);

  // Only one of the limits has a limit.
  size_t value = 0;
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  for (const auto& [limit, most] : {std::pair(cudaLimitMallocHeapSize, size_t(1) << 40), std::pair(cudaLimitPersistingL2CacheSize, size_t(p.persistingL2CacheMaxSize))}) {
    REQUIRE(cudaDeviceSetLimit(limit, size_t(1) << 40) == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&value, limit) == cudaSuccess);
    CHECK(value == most);
  }
  explained(cudaSuccess, "", [&] { return cudaFreeHost(pinned); });
  free_places(places);
  free(registered);
}
