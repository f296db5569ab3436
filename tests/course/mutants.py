#!/usr/bin/env python3
"""Do the tests notice faults? Puts faults into the course, one at a time, and runs a test for each.

  tests/course/mutants.py                    all of them: an hour and a half on two cores
  tests/course/mutants.py 17 dot heat.h      those with these numbers, tests, or files
  tests/course/mutants.py --list             what there is; fails if a fault's place is not found
  tests/course/mutants.py --jobs 1 --build /tmp/mutants

Each fault of the table below replaces a text that is in its file exactly once. Then only what its
test needs is built, in a copy of the tree, and only that test is run, with the threads in their
usual order (NAME.reverse: in that order, in which some tests do less; NAME.options: what every
program's command line owes to its user): the fault is killed if the test fails, and has survived if
it passes. Before its faults each test must pass without any. A test that begins with "check:" is a
program and its arguments instead: it is compiled with `nvcc --check`, and kills a fault by a
finding. Such faults take out a barrier, an atomic, a fence or a guard, which the CPU device's
threads, one after the other, do not miss.

The exit code is 0 if at least 95 % are killed, and all others are said in the table to survive.
"""

import argparse
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WANTED_SHARE = 0.95
LEFT_OUT = {"build", ".git", "__pycache__"}

# file: [(text, replacement, test[, why it survives])]
FAULTS = {
    # ---- chapter 3
    "ch03_intro/add_numbers.cu": [
        ("*c = a + b;", "*c = a - b;", "add_numbers"),
        ("cudaMemcpy(&c, dev_c, sizeof(int)", "cudaMemcpy(&c, dev_c, sizeof(short)", "add_numbers"),
    ],
    "ch03_intro/add_numbers_managed.cu": [
        ("  HANDLE_ERROR(cudaDeviceSynchronize());", "", "add_numbers_managed"),
        ("const int sum = *c;", "const int sum = *c & 0xff;", "add_numbers_managed"),
    ],
    "ch03_intro/two_numbers.h": [
        ("exact < INT_MIN || exact > INT_MAX", "exact < INT_MIN", "add_numbers"),
        ("return course::kExitWrong;", "return 0;", "add_numbers"),
    ],
    "ch03_intro/device_properties.cu": [
        ('{"warpSize", text(p.warpSize)', '{"warpSize", text(p.minor)', "device_properties"),
        ('text(clock_khz / 1000) + " MHz"', 'text(clock_khz / 100) + " MHz"', "device_properties"),
        ('{"regsPerBlock", text(p.regsPerBlock)', '{"regsPerBlock", text(p.sharedMemPerBlock)',
         "device_properties"),
        ("if (one.value == value) continue;", "if (one.value >= value) continue;",
         "device_properties"),
        ("if (only >= count)", "if (only > count)", "device_properties"),
    ],
    "ch03_intro/choose_device.cu": [
        ("device.minor >= minor", "device.minor > minor", "choose_device"),
        ("devices[i].multiProcessorCount > devices[best]",
         "devices[i].multiProcessorCount >= devices[best]", "choose_device"),
        ('course::skip("no device has', 'course::bad_usage("no device has', "choose_device"),
    ],
    "ch03_intro/enumerate_devices.cu": [
        (" && properties.minor == minor", "", "enumerate_devices"),
        ("cudaGetDeviceProperties(&devices[i], i)", "cudaGetDeviceProperties(&devices[0], i)",
         "enumerate_devices"),
    ],
    "ch03_intro/hello.cu": [
        ("Hello, World!", "Hello World!", "hello"),
    ],
    # ---- chapter 4
    "ch04_parallel/vector_add_cpu.cu": [
        ("i += 1;", "i += 2;", "vector_add_cpu"),
    ],
    "ch04_parallel/vector_add_two_cores.cu": [
        ("add, a, b, c, n, 1, 2);", "add, a, b, c, n, 1, 3);", "vector_add_two_cores"),
        ("second_core.join();", "second_core.detach();", "vector_add_two_cores",
         "the second core is mostly faster than the test looks"),
        ("if (const int wrong = sums.report()) return wrong;", "sums.report();",
         "vector_add_two_cores"),
    ],
    "ch04_parallel/vector_add_blocks.cu": [
        ("const int i = blockIdx.x;", "const int i = threadIdx.x;", "vector_add_blocks"),
        ("add<<<n, 1>>>", "add<<<n - 1, 1>>>", "vector_add_blocks"),
        ("if (n == 0) return;", "", "vector_add_blocks"),
        ("cudaMemcpy(dev_b, b, bytes", "cudaMemcpy(dev_b, a, bytes", "vector_add_blocks"),
    ],
    "ch04_parallel/vector_add_managed.cu": [
        ("  HANDLE_ERROR(cudaDeviceSynchronize());", "", "vector_add_managed"),
        ("(n > 0 ? n : 1)", "n", "vector_add_managed",
         "0 bytes are an error in CUDA 12's documentation; CUDA 13 gives a null pointer for them"),
        ("if (i < n) c[i] = a[i] + b[i];", "c[i] = a[i];", "vector_add_managed"),
    ],
    "common/lessons/vector_sums.h": [
        ("sign * vector_a(i) + vector_b(i)", "sign * vector_a(i) + c[i] - sign * vector_a(i)",
         "vector_add_blocks"),
        ("std::min<size_t>(n, 10)", "std::min<size_t>(n, 9)", "vector_add_blocks"),
        ("require_memory(3 * bytes, 4 * bytes)", "require_memory(bytes, 4 * bytes)",
         "vector_add_blocks"),
    ],
    "ch04_parallel/block_table.cu": [
        ("static_cast<int>(gridDim.x)", "static_cast<int>(blockDim.x)", "block_table"),
        ("if (!course::verify(", "if (false && !course::verify(", "block_table"),
    ],
    "ch04_parallel/julia.h": [
        ("product(a.im, b.re) + product(a.re, b.im)", "product(a.im, b.re) - product(a.re, b.im)",
         "julia_cpu"),
        ("magnitude2(z) > 1000", "magnitude2(z) > 100", "julia_cpu"),
        ("step < 200", "step < 190", "julia_cpu"),
        ("step < 200", "step < 199", "julia_blocks"),
        ("? 255 : 0,", "? 254 : 0,", "julia_cpu"),
        ("view.scale * (half - y) / half", "view.scale * (y - half) / half", "julia_blocks"),
    ],
    "ch04_parallel/julia_cpu.cu": [
        ("((size - x) + (size - y) * size)", "((size - x) + (size - 1 - y) * size)", "julia_cpu"),
        ("pixels / ms * 1e-3", "pixels / ms * 2e-3", "julia_cpu"),
    ],
    "ch04_parallel/julia_program.h": [
        ("return course::kExitWrong;", "return 0;", "julia_blocks"),
        ("cpu_ms / kernel_ms", "kernel_ms / cpu_ms", "julia_threads"),
        ("bitmap.get_ptr(), expected.data(), view.size, view.size, 0,",
         "bitmap.get_ptr(), expected.data(), view.size, view.size / 2, 0,", "julia_threads"),
    ],
    "ch04_parallel/julia_blocks.cu": [
        ("const int y = blockIdx.y;", "const int y = blockIdx.x;", "julia_blocks"),
    ],
    "ch04_parallel/julia_threads.cu": [
        ("dim3 grid((view.size + threads.x - 1) / threads.x", "dim3 grid(view.size / threads.x",
         "julia_threads"),
        ("const int x = blockIdx.x * blockDim.x + threadIdx.x;",
         "const int x = blockIdx.x * blockDim.y + threadIdx.x;", "julia_threads"),
        ("  if (x < view.size && y < view.size) draw_pixel", "  draw_pixel",
         "check:ch04_parallel/julia_threads.cu --size 97 --save julia.png"),
    ],
    "ch04_parallel/vector_add_cores.cu": [
        ("if (!course::verify_sums(sums.c.data(), n)) return course::kExitWrong;",
         "if (!course::verify_sums(sums.c.data(), n)) return 0;", "vector_add_cores"),
        ("verify_sums(sums.c.data(), n))", "verify_sums(sums.c.data(), n / 2))",
         "vector_add_cores"),
    ],
    "ch04_parallel/julia_cores.cu": [
        ("bitmap.get_ptr(), expected.data(), view.size, view.size, 0,",
         "expected.data(), expected.data(), view.size, view.size, 0,", "julia_cores"),
    ],
    # ---- chapter 5
    "ch05_threads/vector_add_threads.cu": [
        ("add<<<1, n>>>", "add<<<n, 1>>>", "vector_add_threads"),
        ("10, 1024));", "10, 2048));", "vector_add_threads"),
    ],
    "ch05_threads/vector_add_ceil.cu": [
        ("return (n + kThreads - 1) / kThreads;", "return n / kThreads + 1;", "vector_add_ceil"),
        ("if (i < n) c[i]", "c[i]", "check:ch05_threads/vector_add_ceil.cu --size 900"),
    ],
    "ch05_threads/vector_add_stride.cu": [
        ("size_t(blockDim.x) * gridDim.x;",
         "static_cast<size_t>(blockDim.x) * (gridDim.x + 1);", "vector_add_stride"),
        ("second(3 * bytes, times.kernel_ms)", "second(2 * bytes, times.kernel_ms)", "vector_add_stride"),
        ("return course::kExitWrong;", "return 0;", "vector_add_stride"),
    ],
    "ch05_threads/dot.cu": [
        ("half > 0; half /= 2", "half > 1; half /= 2", "dot"),
        ("cache[cache_index + half];", "cache[cache_index + half - 1];", "dot"),
        ("sum += a[i] * b[i];", "sum += a[i] * a[i];", "dot"),
        ("partial[blockIdx.x] = cache[0];", "partial[0] = cache[0];", "dot"),
        ("    __syncthreads();  // outside the `if`", "", "check:ch05_threads/dot.cu --size 5000"),
        ("  cache[cache_index] = sum;\n  __syncthreads();", "  cache[cache_index] = sum;",
         "check:ch05_threads/dot.cu --size 5000"),
    ],
    "ch05_threads/dot_program.h": [
        ("kPowerOfTwo && (threads & (threads - 1)) != 0", "kPowerOfTwo && threads < 0", "dot"),
        ("threads % 32 != 0", "threads % 16 != 0", "dot_shuffle"),
        ("second(2.0 * sizeof(float) * n", "second(4.0 * sizeof(float) * n", "dot"),
        ("return course::kExitWrong;", "return 0;", "dot"),
        ("for (float one : sums) sum += one;", "sum = sums[0];", "dot_shuffle"),
        ("1, 0, reference.bound))", "1, 0, 100 * reference.bound))", "dot"),
        ("return std::ceil(n / all_threads) + block",
         "return 100 * std::ceil(n / all_threads) + block", "dot"),
    ],
    "ch05_threads/dot_warp.cu": [
        ("half > 0; half /= 2", "half > 1; half /= 2", "dot_warp"),
        ("if (half > kWarp)", "if (half > 2 * kWarp)", "check:ch05_threads/dot_warp.cu --size 5000"),
        ("      __syncwarp();", "      ;", "check:ch05_threads/dot_warp.cu --size 5000"),
    ],
    "ch05_threads/dot_shuffle.cu": [
        ("offset = kWarp / 2;", "offset = kWarp / 4;", "dot_shuffle"),
        ("lane < blockDim.x / kWarp ?", "lane < blockDim.x / kWarp - 1 ?", "dot_shuffle"),
        ("  __syncthreads();", "", "check:ch05_threads/dot_shuffle.cu --size 5000"),
    ],
    "ch05_threads/dot_groups.cu": [
        ("lane < warp.meta_group_size() ?", "lane < warp.meta_group_size() - 1 ?", "dot_groups"),
        ("i += grid.size()", "i += grid.size() + 1", "dot_groups"),
        ("  block.sync();", "", "check:ch05_threads/dot_groups.cu --size 5000"),
    ],
    "ch05_threads/dot_fast.cu": [
        ("first < n % 4", "first < n % 2", "dot_fast"),
        ("sum3 += p.w * q.w;", "sum3 += p.w * q.z;", "dot_fast"),
        ("offset = kWarp / 2;", "offset = kWarp / 4;", "dot_fast"),
        ("lane < kWarps ?", "lane < kWarps - 1 ?", "dot_fast"),
        ("second(2 * bytes, times.kernel_ms)", "second(1 * bytes, times.kernel_ms)", "dot_fast"),
        ("  __syncthreads();\n  if (warp != 0) return;", "  if (warp != 0) return;",
         "check:ch05_threads/dot_fast.cu --size 5000"),
        ("1, 0, reference.bound))", "1, 0, 100 * reference.bound))", "dot_fast"),
    ],
    "ch05_threads/dot_single_thread.cu": [
        ("unsigned i = 1; i < blockDim.x", "unsigned i = 2; i < blockDim.x", "dot_single_thread"),
        ("  cache[cache_index] = sum;\n  __syncthreads();", "  cache[cache_index] = sum;",
         "check:ch05_threads/dot_single_thread.cu --size 5000"),
    ],
    "common/lessons/dot_block.h": [
        ("    sum += a[i] * b[i];", "    sum = a[i] * b[i];", "dot_pageable"),
        ("cache[threadIdx.x] = sum;\n  __syncthreads();", "cache[threadIdx.x] = sum;",
         "check:ch11_multigpu/dot_pageable.cu --size 5000 --blocks 2"),
        ("cache[threadIdx.x] = sum;", "cache[threadIdx.x] = 0;", "dot_atomic_add"),
        ("half > 0; half /= 2", "half > 0; half /= 4", "dot_atomic_add"),
    ],
    "common/lessons/dot_reference.h": [
        ("static_cast<float>(2 * i)", "static_cast<float>(2 + i)", "dot_pageable"),
        ("(2 * last + 1) / 6)", "(2 * last + 1) / 3)", "dot"),
        ("std::fabs(product)", "product", "dot_fast"),
        ("0x1p-24", "0x1p-20", "dot_fast"),
        ("(additions + 2)", "(additions + 200)", "dot_fast"),
    ],
    "ch05_threads/ripple.cu": [
        ("static_cast<float>(ticks) / 7.0f", "static_cast<float>(ticks) / 8.0f", "ripple"),
        ("/ (distance / 10.0f + 1.0f)", "/ (distance / 10.0f + 2.0f)", "ripple"),
        ("cosf(distance / 10.0f", "cosf(distance / 9.0f", "ripple"),
        ("const int y = blockIdx.y * blockDim.y", "const int y = blockIdx.x * blockDim.y",
         "ripple"),
        ("gray, gray, gray, 255);", "gray, gray, gray, 0);", "ripple"),
        ("return course::kExitWrong;", "return 0;", "ripple"),
    ],
    "ch05_threads/shared_bitmap.cu": [
        ("kPeriod = 128.0f", "kPeriod = 127.0f", "shared_bitmap"),
        ("wave_x * wave_y / 4.0f", "wave_x * wave_y / 4.1f", "shared_bitmap"),
        ("shared[kTile - 1 - threadIdx.x][kTile - 1 - threadIdx.y]",
         "shared[kTile - 1 - threadIdx.x][threadIdx.y]", "shared_bitmap"),
        ("__syncthreads();  //", "//",
         "check:ch05_threads/shared_bitmap.cu --size 64 --save s.png"),
    ],
    "ch05_threads/divergence.cu": [
        ("i / width % 2 == 0", "i / width % 2 == 1", "divergence"),
        ("return width == 0 ||", "return width == 1 ||", "divergence"),
        ("return course::kExitWrong;", "return 0;", "divergence"),
        ("x ^= x >> 15;", "x ^= x >> 14;", "divergence"),
        ("ms / same_ms);", "same_ms / ms);", "divergence"),
        ("kSteps = 16384;", "kSteps = 1638;", "divergence"),
    ],
    "ch05_threads/dot_last_block.cu": [
        ("w < kWarps; w++) sum += warp_sums[w]", "w < kWarps - 1; w++) sum += warp_sums[w]",
         "dot_last_block"),
        ("if (first < n % 4) sum0", "if (first <= n % 4) sum0", "dot_last_block"),
        ("atomicInc(done, gridDim.x - 1) == gridDim.x - 1",
         "atomicInc(done, gridDim.x) == gridDim.x - 1", "dot_last_block"),
        ("second(2.0 * bytes, kernel_ms)", "second(1.0 * bytes, kernel_ms)", "dot_last_block"),
        ("1, 0, reference.bound))", "1, 0, 100 * reference.bound))", "dot_last_block"),
        ("i < gridDim.x; i += kThreads) sum += partial[i];",
         "i + 1 < gridDim.x; i += kThreads) sum += partial[i];", "dot_last_block"),
        ("return chain + 3 +", "return 100 * chain + 3 +", "dot_last_block"),
        ("    return course::kExitWrong;", "    return 0;", "dot_last_block"),
        ("#pragma unroll 4\n  for (size_t i = first; i < quads; i += stride) {",
         "for (size_t i = first; i + 1 < quads; i += stride) {", "dot_last_block"),
        ("const size_t work = (n / 8 + kThreads - 1)",
         "const size_t work = (n / 80 + kThreads - 1)", "dot_last_block"),
    ],
    "ch05_threads/vector_add_wide.cu": [
        ("second(3.0 * bytes, kernel_ms)", "second(2.0 * bytes, kernel_ms)", "vector_add_wide"),
        ("c.data(), expected.data(), n)) return", "c.data(), expected.data(), n / 2)) return",
         "vector_add_wide"),
        ("(n / 4 + 1 + threads - 1) / threads", "(n / 4 + threads - 1) / threads",
         "vector_add_wide"),
    ],
    "ch05_threads/transpose.cu": [
        ("way.words, out.data(), expected.data(), count)",
         "way.words, out.data(), expected.data(), count / 2)", "transpose"),
        ("second(2 * bytes, ms)", "second(1 * bytes, ms)", "transpose"),
    ],
    # ---- chapter 6
    "ch06_constant/scene.h": [
        ("squared >= radius * radius", "squared > radius * radius", "ray_global"),
        ("*z_hit = z + dz;", "*z_hit = z - dz;", "ray_global"),
        ("*facing = dz / radius;", "*facing = dz / (radius + 1);", "ray_global"),
        ("&& z > nearest", "&& z < -nearest", "ray_global"),
        ("ray_y = static_cast<float>(y - size / 2);", "ray_y = static_cast<float>(size / 2 - y);",
         "ray_global"),
        ("b = spheres[i].b * facing;", "b = spheres[i].r * facing;", "ray_global"),
        ("kMaxSpheres = 65536 /", "kMaxSpheres = 32768 /", "ray_global"),
        ("static_cast<float>(20 + random.below(100))", "static_cast<float>(20 + random.below(101))",
         "ray_global"),
        ("- sphere.y) < sphere.radius)", "- sphere.y) < sphere.radius - 9)", "ray_global"),
        ("course::Random random(6);", "course::Random random(7);", "ray_global"),
        ("&& z > nearest", "&& z >= nearest", "ray_global"),
    ],
    "ch06_constant/ray_constant.cu": [
        ("spheres.data(), count * sizeof(Sphere)", "spheres.data(), sizeof(Sphere)",
         "ray_constant"),
    ],
    "ch06_constant/ray_program.h": [
        ("return course::kExitWrong;", "return 0;", "ray_global"),
        ("second(tests, course::median(kernel_ms))", "second(10 * tests, course::median(kernel_ms))",
         "ray_global_timed"),
    ],
    "ch06_constant/ray_grid_constant.cu": [
        ("scene.count = static_cast<int>(spheres.size());",
         "scene.count = static_cast<int>(spheres.size()) / 2;", "ray_grid_constant"),
        ("kMost = 145;", "kMost = 150;", "ray_grid_constant"),
    ],
    "ch06_constant/ray_global_timed.cu": [
        ("cudaEventElapsedTime(&kernel_ms, start, stop)",
         "cudaEventElapsedTime(&kernel_ms, stop, start)", "ray_global_timed"),
    ],
    "ch06_constant/events.cu": [
        ("cudaEventElapsedTime(&timing.events_ms, start, stop)",
         "cudaEventElapsedTime(&timing.events_ms, stop, start)", "events"),
        ("return course::kExitWrong;", "return 0;", "events"),
        ("timing.events_ms / timing.launch_ms);", "timing.launch_ms / timing.events_ms);",
         "events"),
    ],
    "ch06_constant/events_broken.cu": [
        ("answer.error == cudaErrorNotReady", "answer.error == cudaSuccess", "events_broken"),
    ],
    "ch06_constant/ray_tiles.cu": [
        ("< sphere.radius * sphere.radius;", "< 4 * sphere.radius * sphere.radius;", "ray_tiles"),
        ("if (w < warp) place", "if (w <= warp) place", "ray_tiles"),
    ],
    "ch06_constant/ray_scattered.cu": [
        ("(z > nearest || (z == nearest && i < nearest_sphere))",
         "(z > nearest || (z == nearest && i > nearest_sphere))", "ray_scattered"),
    ],
    # ---- chapter 7
    "common/lessons/heat.h": [
        ("kSpeed = 0.25f;", "kSpeed = 0.2f;", "heat_global"),
        ("- 4.0f * center", "- 3.0f * center", "heat_global"),
        ("top + bottom + left + right", "top + bottom + left + left", "heat_global"),
        ("book[x] > 300 &&", "book[x] >= 300 &&", "heat_global"),
        ("spot(100, 700, kMinTemperature)", "spot(700, 100, kMinTemperature)", "heat_global"),
        ("book[x] < 200 &&", "book[x] < 201 &&", "heat_global"),
        ("row_at(beyond_edge(y - 1, size))", "row_at(beyond_edge(y, size))", "heat_global"),
        ("if (heaters[i] != 0) in[i] = heaters[i];", "if (heaters[i] > 0.6f) in[i] = heaters[i];",
         "heat_global"),
        ("heat_color(temperatures[x + y * row])", "heat_color(temperatures[y + x * row])",
         "heat_global"),
        ("1e3 * ms / steps", "500 * ms / steps", "heat_global"),
        ("2.0 * sizeof(float) * size * size", "1.0 * sizeof(float) * size * size", "heat_global"),
        ("kStoredError = 0x1p-24", "kStoredError = 0x1p-14", "heat_global"),
        ("kMinTemperature = 0.0001f;", "kMinTemperature = 0.001f;", "heat_global"),
        ("expected.data(), result.size(), 0, heat", "expected.data(), result.size() / 2, 0, heat",
         "heat_global"),
        ("total_ms / frames);", "total_ms * frames);", "heat_global"),
    ],
    "ch07_texture/heat_global.cu": [
        ("if (x == 0) left++;", "", "heat_global"),
        ("std::swap(d->dev_in, d->dev_out);", "", "heat_global"),
        ("bottom -= size;", "bottom -= 1;", "heat_global"),
    ],
    "ch07_texture/heat_program.h": [
        ("!verify_heat(d.size, d.steps, heat<DataBlock>)", "false", "heat_global"),
        ("d->frames++;", "", "heat_global"),
        ("field.data, d->size, field.row);", "field.data, d->size, d->size);", "heat_texture_2d"),
        ("run_steps(d, d->steps);\n  const", "run_steps(d, 1);\n  const", "heat_global"),
        ("heat<DataBlock>)) return course::kExitWrong;", "heat<DataBlock>)) return 0;",
         "heat_global"),
        ("if (require_size != nullptr) require_size(d.size);", "", "heat_texture_1d"),
    ],
    "ch07_texture/heat_graph.cu": [
        ("kCaptured = 10;", "kCaptured = 9;", "heat_graph"),
        ("i < steps % kCaptured", "i < steps % kCaptured - 1", "heat_graph"),
        ("if (steps % 2 == 0) return;", "return;", "heat_graph"),
        ("copy_const<<<grid, block, 0, stream>>>(d->dev_in",
         "copy_const<<<grid, block, 0, stream>>>(d->dev_out", "heat_graph"),
    ],
    "ch07_texture/heat_grid_sync.cu": [
        ("if (steps % 2 == 1) std::swap(d->dev_in, d->dev_out);", "", "heat_grid_sync"),
        ("    grid.sync();  // all heaters", "    //",
         "check:ch07_texture/heat_grid_sync.cu --size 64 --steps 3 --frames 1 --save h.png"),
        ("with the kernel.\n    grid.sync();", "with the kernel.",
         "check:ch07_texture/heat_grid_sync.cu --size 64 --steps 3 --frames 1 --save h.png",
         "the next step's barrier orders the same: until then a thread writes its own cells alone"),
        ("if (heaters[offset] != 0) in[offset]", "if (heaters[offset] > 0.9f) in[offset]",
         "heat_grid_sync"),
        ("if (y == size - 1) bottom -= size;", "", "heat_grid_sync"),
        ("  HANDLE_ERROR(cudaFree(d->dev_heaters));\n", "", "heat_grid_sync"),
    ],
    "ch07_texture/heat_texture_1d.cu": [
        ("double(size) * size > elements", "double(size) * size >= elements", "heat_texture_1d"),
        ("if (y == size - 1) bottom -= size;", "", "heat_texture_1d"),
        ("if (heater != 0) in[offset] = heater;", "in[offset] = heater;", "heat_texture_1d"),
        ("double(size) * size > elements", "double(size) > elements", "heat_texture_1d"),
    ],
    "ch07_texture/heat_texture_2d.cu": [
        ("how.addressMode[1] = cudaAddressModeClamp;",
         "how.addressMode[1] = cudaAddressModeBorder;", "heat_texture_2d"),
        ("tex2D<float>(in, x + 1.5f, y + 0.5f)", "tex2D<float>(in, x + 2.5f, y + 0.5f)",
         "heat_texture_2d"),
        ("const size_t row = d->in.pitch / sizeof(float);", "const size_t row = d->size;",
         "heat_texture_2d"),
        ("const float left = tex2D<float>(in, x - 0.5f",
         "const float left = tex2D<float>(in, x + 0.0f", "heat_texture_2d"),
    ],
    "ch07_texture/frozen.h": [
        ("p->dev_rgba, p->dev_in, p->size, p->row);", "p->dev_rgba, p->dev_in, p->size, p->size);",
         "heat_fused"),
        ("p->frames++;", "", "heat_blocked"),
        ("p->dev_rgba, p->dev_in, p->size, p->row);", "p->dev_rgba, p->dev_out, p->size, p->row);",
         "heat_fused"),
        ("run_steps(p, p->steps);\n  paint", "run_steps(p, 1);\n  paint", "heat_fused"),
        ("if (heaters[i] != 0) in[i] = heaters[i];", "if (heaters[i] > 0.9f) in[i] = heaters[i];",
         "heat_fused"),
        ("!= 0)\n        frozen", "> 0.5f)\n        frozen", "heat_fused"),
        ("if (!verify_heat(p.size, p.steps, heat)) return course::kExitWrong;",
         "if (!verify_heat(p.size, p.steps, heat)) return 0;", "heat_fused"),
        ("  HANDLE_ERROR(cudaFree(p->dev_frozen));\n", "", "heat_fused"),
        ('options.number("steps", &p.steps,', 'options.number("steps", &p.frames,', "heat_fused"),
        ("int size = 256, steps = 90;", "int size = 256, steps = 80;", "heat_fused.options"),
    ],
    "ch07_texture/heat_blocked.cu": [
        ("2 * size - 1 - place;", "2 * size - 2 - place;", "heat_blocked"),
        ("if (steps > 0) set_heaters(p);", "", "heat_blocked"),
        ("all << (8 * now) : 0;", "all << (8 * now + 8) : 0;", "heat_blocked"),
        ("all : (uint64_t(1) << (8 * (now - 1))) - 1;", "all : all;", "heat_blocked"),
        ("p->size % kWide == 0 ? steps_kernel<true> : steps_kernel<false>",
         "true ? steps_kernel<true> : steps_kernel<false>", "heat_blocked"),
        ("lane >= kHalo && lane < kLanes - kHalo", "lane >= kHalo && lane < kLanes - kHalo - 1",
         "heat_blocked"),
        ("done >= first && done < end)", "done >= first && done + 1 < end)", "heat_blocked"),
        ("x == 0 || lane == 0;", "lane == 0;", "heat_blocked"),
        ("done += kSteps) {", "done += kSteps - 1) {", "heat_blocked"),
        ("bits = bits << 8 | arrived_bits;", "bits = bits << 8 | (arrived_bits & 0x7f);",
         "heat_blocked"),
        ("if (!kWholeThreads && c == last) right = middle[c];", "", "heat_blocked"),
        ("std::swap(p->dev_in, p->dev_out);", "", "heat_blocked"),
        ("    __syncwarp();\n", "",
         "check:ch07_texture/heat_blocked.cu --size 96 --steps 10 --frames 2 --save h.png"),
    ],
    "ch07_texture/heat_fused.cu": [
        ("i < steps - 1 ? p->dev_frozen : nullptr", "p->dev_frozen", "heat_fused"),
        ("x + 4 < size ? at[4] : here.w", "at[4]", "heat_fused"),
        ("if (bits & 8) next.w = here.w;", "", "heat_fused"),
        ("y < size - 1 ? at + row : at", "y < size ? at + row : at", "heat_fused"),
        ("if (steps > 0) set_heaters(p);", "", "heat_fused"),
        ("w_right = x + 3 < size ? here.w : here.z", "w_right = here.w", "heat_fused"),
        ("(p->size + kRows * kThreadsY - 1) / (kRows * kThreadsY)", "p->size / (kRows * kThreadsY)",
         "heat_fused"),
    ],
    # ---- chapter 8
    "ch08_interop/interop_basic.cu": [
        ("fabsf(fx * 100.0f) - fabsf", "fabsf(fx * 100.0f) + fabsf", "interop_basic"),
        ("128.0f + 127.0f * wave", "128.0f + 100.0f * wave", "interop_basic"),
        ("fabsf(fy * 100.0f)", "fabsf(fy * 101.0f)", "interop_basic"),
        ("/ static_cast<float>(size) - 0.5f;\n  const float fy",
         "/ static_cast<float>(size) - 0.4f;\n  const float fy", "interop_basic"),
        ("  if (x >= size || y >= size) return;\n", "",
         "check:ch08_interop/interop_basic.cu --size 97 --save s.png"),
    ],
    "ch08_interop/ripple.h": [
        ("static_cast<float>(ticks) / 7.0f", "static_cast<float>(ticks) / 6.0f", "ripple_interop"),
        ("/ (distance / 10.0f + 1.0f)", "/ (distance / 10.0f + 1.5f)", "ripple_interop"),
        ("return make_uchar4(gray, gray, gray, 255);", "return make_uchar4(gray, gray, 0, 255);",
         "ripple_interop"),
    ],
    "ch08_interop/ripple_interop.cu": [
        ("return course::kExitWrong;", "return 0;", "ripple_interop"),
        ("ripple_color(x - size / 2, y - size / 2", "ripple_color(x - size / 2, x - size / 2",
         "ripple_interop"),
        ("frame.data(), expected.data(), size, size)) return",
         "frame.data(), expected.data(), size, size / 2)) return", "ripple_interop"),
    ],
    "ch08_interop/ripple_mouse.cu": [
        ("block->size - 1 - y;", "block->size - y;", "ripple_mouse"),
        ("ticks / 14.0", "ticks / 7.0", "ripple_mouse"),
        ("0.25 * sin(angle)", "0.25 * -sin(angle)", "ripple_mouse"),
        ("block->center_x = x;", "block->center_x = y;", "ripple_mouse"),
        ("  block->dragged = true;\n", "", "ripple_mouse"),
        ("frame.data(), expected.data(), block.size, block.size)",
         "frame.data(), frame.data(), block.size, block.size)", "ripple_mouse"),
        ("    return course::kExitWrong;", "    return 0;", "ripple_mouse"),
        ("x - center_x, y - center_y, ticks);\n}\n\nstruct",
         "x - center_x, center_y - y, ticks);\n}\n\nstruct", "ripple_mouse",
         "the waves are round: the distance is the same"),
    ],
    "ch08_interop/heat_interop.cu": [
        ("std::swap(d->in, d->out);", "", "heat_interop"),
        ("!verify_frame(&bitmap, d.size)", "false", "heat_interop",
         "verify_heat() alone notices damaged copies; a fault of GPUAnimBitmap would need both"),
        ("i < d->steps; i++) step(d);", "i < d->steps - 1; i++) step(d);", "heat_interop"),
        ("if (heater != 0) in[offset] = heater;", "in[offset] = heater;", "heat_interop"),
        ("    return course::kExitWrong;", "    return 0;", "heat_interop"),
        ("double(size) * size > elements", "double(size) > elements", "heat_interop"),
    ],
    "common/gpu_anim.h": [
        ("if (course::sharing_request().times) log_.add(ticks, times_);",
         "if (course::sharing_request().times) log_.add(ticks - 1, times_);", "ripple_interop"),
        ("host_pixels_, dev_pixels_, image_size(), cudaMemcpyDeviceToHost",
         "host_pixels_, dev_pixels_, image_size() / 2, cudaMemcpyDeviceToHost", "ripple_interop"),
        ('if (copy > 0) printf(", copies', 'if (share > 0) printf(", copies', "ripple_interop"),
        ("if (animExit != nullptr) animExit(dataBlock);", "", "heat_interop"),
        ("          default_frames);", "          course::kDefaultFrames);", "heat_interop"),
        ("    if (host_pixels_ != nullptr) HANDLE_ERROR(cudaFreeHost(host_pixels_));\n", "",
         "ripple_interop"),
    ],
    # ---- chapter 9
    "ch09_atomics/histogram_atomic_ref.cu": [
        ("fetch_add(1, cuda", "fetch_add(2, cuda", "histogram_atomic_ref"),
        ("block_counts[bin] = 0;\n  __syncthreads();", "block_counts[bin] = 0;",
         "check:ch09_atomics/histogram_atomic_ref.cu --size 20000"),
    ],
    "ch09_atomics/histogram.h": [
        ('0, 1LL << 40, "bytes of data"', '1, 1LL << 40, "bytes of data"', "histogram_cpu"),
        ("return value * bins >> 8;", "return value * (bins - 1) >> 8;", "histogram_cpu"),
        ("(31 * zeros)", "(30 * zeros)", "histogram_cpu"),
        ("60.0 * sums[row] / largest", "50.0 * sums[row] / largest", "histogram_shared_atomics"),
        ("(request.size), times.kernel_ms)", "(2 * request.size), times.kernel_ms)", "histogram_shared_atomics"),
        ("HANDLE_ERROR(cudaMemset(dev_counts, 0, bins * sizeof(Count)));", "",
         "histogram_global_atomics"),
        ("return course::kExitWrong;", "return 0;", "histogram_global_atomics"),
        ('printf("bins %3zu to %3zu', 'printf("bins %3zu to %2zu', "histogram_global_atomics"),
        ("sums[bin * rows / bins] += counts[bin];", "sums[bin * rows / bins] = counts[bin];",
         "histogram_global_atomics"),
        ("dev_data + begin, std::min(most, size - begin), dev_counts);",
         "dev_data, std::min(most, size - begin), dev_counts);", "histogram_cpu"),
        ("begin < size; begin += most)", "begin < size; begin += most + 1)", "histogram_cpu"),
        ("size_t size = 100 << 20;", "size_t size = 10 << 20;", "histogram_cpu.options"),
        ("uint64_t state = 9;", "uint64_t state = 10;", "histogram_cpu"),
        ("/ largest + 0.5);", "/ largest);", "histogram_cpu"),
    ],
    "ch09_atomics/histogram_cpu.cu": [
        ("(request.size), elapsed_ms)", "(request.size), 1e3 * elapsed_ms)", "histogram_cpu"),
        ("nothing.data(), rest.size()", "nothing.data(), rest.size() / 2", "histogram_cpu"),
        ("    return course::kExitWrong;", "    return 0;", "histogram_cpu"),
    ],
    "ch09_atomics/histogram_global_atomics.cu": [
        ("i += stride)", "i += stride + 1)", "histogram_global_atomics"),
        ("atomicAdd(&counts[bin_of(data[i], bins)], 1);", "counts[bin_of(data[i], bins)] += 1;",
         "check:ch09_atomics/histogram_global_atomics.cu --size 20000"),
    ],
    "ch09_atomics/histogram_shared_atomics.cu": [
        ("bin < bins; bin += blockDim.x)\n    atomicAdd",
         "bin < bins - 1; bin += blockDim.x)\n    atomicAdd", "histogram_shared_atomics"),
        ("block_counts[bin] = 0;", "block_counts[bin] &= 1;", "histogram_shared_atomics"),
        ("atomicAdd(&block_counts[bin_of(data[i], bins)], 1);",
         "block_counts[bin_of(data[i], bins)]++;",
         "check:ch09_atomics/histogram_shared_atomics.cu --size 20000"),
        ("block_counts[bin] = 0;\n  __syncthreads();", "block_counts[bin] = 0;",
         "check:ch09_atomics/histogram_shared_atomics.cu --size 20000"),
        ("bins)], 1);\n  __syncthreads();", "bins)], 1);",
         "check:ch09_atomics/histogram_shared_atomics.cu --size 20000"),
    ],
    "ch09_atomics/histogram_wide_loads.cu": [
        ("k < 4; k++", "k < 3; k++", "histogram_wide_loads"),
        ("i = count * sizeof(uint4) + first; i < size",
         "i = count * sizeof(uint4) + first + 1; i < size", "histogram_wide_loads"),
        ("const int warps = (blockDim.x + kWarpSize - 1) / kWarpSize;",
         "const int warps = blockDim.x / kWarpSize;", "histogram_wide_loads"),
        ("bins)], 1);\n  __syncthreads();", "bins)], 1);",
         "check:ch09_atomics/histogram_wide_loads.cu --size 20000"),
    ],
    "ch09_atomics/histogram_private.cu": [
        ("kVectorsPerRound = 15;", "kVectorsPerRound = 20;", "histogram_private"),
        ("row + 2 * kRows], even >> 16", "row + 2 * kRows], odd >> 16", "histogram_private"),
        ("(two_values >> 6 & 0x00030003)", "(two_values >> 6 & 0x00010001)", "histogram_private"),
        ("      *word = 0;\n", "", "histogram_private"),
        ("my_counters);\n    }\n    __syncwarp(all_lanes);", "my_counters);\n    }",
         "check:ch09_atomics/histogram_private.cu --size 100000 --blocks 2"),
    ],
    "ch09_atomics/lost_update.cu": [
        ("at_once != 8", "at_once != 9", "lost_update"),
        ("paused < expected,", "paused > expected,", "lost_update"),
        ("count_of(expected - paused,", "count_of(expected,", "lost_update"),
        ("int x = 7;", "int x = 6;", "lost_update"),
        ("    return course::kExitWrong;", "    return 0;", "lost_update"),
        ("plain, expected - plain);", "plain, expected - paused);", "lost_update"),
        ("atomicAdd(x, 1); }", "(*x)++; }", "lost_update",
         "nobody comes between on the CPU device; a checked run finds the others' races anyway"),
    ],
    "ch09_atomics/histogram_lanes.cu": [
        ("columns[i] = 0;\n  __syncthreads();", "columns[i] = 0;",
         "check:ch09_atomics/histogram_lanes.cu --size 20000"),
        ("atomicAdd(reinterpret_cast<unsigned int*>(my_column + (odd >> 16)), 1u);",
         "atomicAdd(reinterpret_cast<unsigned int*>(my_column + (even >> 16)), 1u);",
         "histogram_lanes"),
        ("              1u);\n  __syncthreads();", "              1u);",
         "check:ch09_atomics/histogram_lanes.cu --size 20000"),
        ("i + (kLoadsAtOnce - 1) * stride < count;", "i + kLoadsAtOnce * stride <= count + stride;",
         "histogram_lanes"),
        ("for (; i < count; i += stride) count_vector(vectors[i], mine);", "", "histogram_lanes"),
        ("  atomicAdd(reinterpret_cast<unsigned int*>(my_column + (even & 0xffff)), 1u);",
         "  *reinterpret_cast<unsigned int*>(my_column + (even & 0xffff)) += 1u;",
         "check:ch09_atomics/histogram_lanes.cu --size 20000"),
        ("k < kWarpSize; k++)\n      sum", "k < kWarpSize - 1; k++)\n      sum", "histogram_lanes"),
        ("atomicAdd(&counts[bin_of(value, bins)], static_cast<Count>(sum));",
         "counts[bin_of(value, bins)] += static_cast<Count>(sum);",
         "check:ch09_atomics/histogram_lanes.cu --size 20000"),
        ("for (i = count * sizeof(uint4) + first; i < size; i += stride)",
         "for (i = count * sizeof(uint4) + first; i + 1 < size; i += stride)", "histogram_lanes"),
        ("columns[threadIdx.x % kWarpSize]", "columns[0]", "histogram_lanes",
         "the counts are the same, only slower: ./course profile tells"),
    ],
    "ch09_atomics/histogram_cores.cu": [
        ("part + 1 < parts ? size / parts * (part + 1) : size", "size / parts * (part + 1)",
         "histogram_cores"),
        ("for (; i < end; i++) tables[0]", "for (; i + 1 < end; i++) tables[0]", "histogram_cores"),
        ("(request.size), ms)", "(request.size), 1e3 * ms)", "histogram_cores"),
        ("expected.data(), expected.size()))", "expected.data(), expected.size() / 2))",
         "histogram_cores"),
        ("k = 1; k < kTables", "k = 2; k < kTables", "histogram_cores"),
        ("histogram_on_cores<4>}};", "histogram_on_cores<1>}};", "histogram_cores"),
        ("      return course::kExitWrong;", "      return 0;", "histogram_cores"),
    ],
    # ---- chapter 10
    "ch10_streams/average.h": [
        ("(own + 2) % size", "(own + 3) % size", "larger_than_memory"),
        ("static_cast<long long>(a[i]) + a[j]", "a[i] + a[j]", "larger_than_memory"),
        ("sum / 6", "sum / 5", "larger_than_memory"),
        ("256;  // threads per block; the", "128;  // threads per block; the",
         "larger_than_memory"),
    ],
    "ch10_streams/timeline.h": [
        ('? "kernel" : "to host"', '? "kernel" : "to device"', "stream_single"),
        ("#4a9e5c", "#3b7dd8", "stream_single"),
        ("operation.begin_ms = std::max(stream, engine);", "operation.begin_ms = engine;",
         "stream_single"),
        ("if (operation.work != Work::kKernel) operation",
         "if (operation.work == Work::kKernel) operation", "stream_single"),
        ("elapsed * tick / 10)", "elapsed * tick / 9)", "stream_single"),
        ("operation.stream != stream || operation.work != work) continue;",
         "operation.work != work) continue;", "stream_single"),
        ("'>' : work == Work::kKernel ? '#' : '<'", "'>' : work == Work::kKernel ? '#' : '>'",
         "stream_single"),
        ("latest = std::max(latest, operation.end_ms);", "latest = operation.end_ms;",
         "stream_single"),
        ("HANDLE_ERROR(cudaEventRecord(mark.end, streams_.at(stream)));",
         "HANDLE_ERROR(cudaEventRecord(mark.end, streams_.at(0)));", "stream_single"),
    ],
    "ch10_streams/stream_malloc_async.cu": [
        ("timeline.mark(s, Work::kDown);", "timeline.mark(s, Work::kUp);", "stream_malloc_async"),
    ],
    "ch10_streams/stream_graph.cu": [
        ("HANDLE_ERROR(cudaStreamWaitEvent(r.stream[0], r.copied, 0));", "", "stream_graph"),
        ("average_on_cpu(r.a.get(), r.b.get(), r.n)", "average_on_cpu(r.b.get(), r.b.get(), r.n)",
         "stream_graph"),
        ("!run_rounds(round, 3, by_graph)", "!run_rounds(round, 3, by_calls)", "stream_graph"),
        ("         }) /\n         rounds;", "         });", "stream_graph"),
        ("HANDLE_ERROR(\n      cudaStreamWaitEvent(r.stream[1], r.begun, 0));", "", "stream_graph"),
        ("r.c.get(), expected.data(), r.n)) return false;",
         "r.c.get(), expected.data(), r.n / 2)) return false;", "stream_graph"),
        ("r.n, 10 + round);", "r.n, 10);", "stream_graph"),
    ],
    "ch10_streams/stream_single.cu": [
        ("timeline.mark(0, Work::kDown);", "timeline.mark(0, Work::kUp);", "stream_single"),
        ("HANDLE_ERROR(cudaStreamSynchronize(stream));", "", "stream_single"),
        ("cudaMemcpyAsync(dev_b, b + i", "cudaMemcpyAsync(dev_b, a + i", "stream_single"),
    ],
    "ch10_streams/stream_depth_first.cu": [
        ("s = 1 - s)", "s = 0)", "stream_depth_first"),
        ("cudaMemcpyAsync(dev_b[s], b + i, bytes, cudaMemcpyHostToDevice, stream[s])",
         "cudaMemcpyAsync(dev_b[s], b + i, bytes, cudaMemcpyHostToDevice, stream[0])",
         "stream_depth_first"),
        ("k < 2; k++) HANDLE_ERROR(cudaStreamSynchronize",
         "k < 1; k++) HANDLE_ERROR(cudaStreamSynchronize", "stream_depth_first"),
    ],
    "ch10_streams/stream_breadth_first.cu": [
        ("std::min(n, i + s * chunk)", "std::min(n, i + chunk)", "stream_breadth_first"),
        ("i += 2 * chunk)", "i += chunk)", "stream_breadth_first"),
    ],
    "ch10_streams/stream_program.h": [
        ("all_ms / std::max(up_ms, down_ms)", "all_ms / std::min(up_ms, down_ms)", "stream_single"),
        ("second(8.0 * n, up_ms)", "second(4.0 * n, up_ms)", "stream_single"),
        ("second(4.0 * n, down_ms)", "second(8.0 * n, down_ms)", "stream_single"),
        ("all_ms / (up_ms + down_ms)", "all_ms / up_ms", "stream_single"),
        ("if (chunk % kGroup != 0)", "if (chunk % kGroup > 1)", "stream_single"),
        ("return course::kExitWrong;", "return 0;", "stream_single"),
        ("a.get(), n, chunk, 2, cudaMemcpyHostToDevice",
         "a.get(), n, chunk, 1, cudaMemcpyHostToDevice", "stream_single"),
        ("c.get(), expected.data(), n)) return", "c.get(), expected.data(), n / 2)) return",
         "stream_single"),
        ("begin < n; begin += chunk)", "begin < n; begin += 2 * chunk)", "stream_single"),
        ("chunk = 1 << 20;", "chunk = 1 << 19;", "stream_single.options"),
    ],
    "ch10_streams/copy_bandwidth.cu": [
        ("second(double(bytes), to_host_ms)", "second(2.0 * bytes, to_host_ms)", "copy_bandwidth"),
        ("second(2.0 * bytes, ms);", "second(1.0 * bytes, ms);", "copy_bandwidth"),
        ("const Bandwidth bandwidth = measure(sent, received, bytes, copies);",
         "const Bandwidth bandwidth = measure_pageable(bytes, copies);", "copy_bandwidth"),
        ("cudaMemcpyAsync(down, device_down, bytes, cudaMemcpyDeviceToHost, down_stream)",
         "cudaMemcpyAsync(down, device_down, bytes, cudaMemcpyDeviceToHost, up_stream)",
         "copy_bandwidth"),
        ('course::verify("received", received, sent, bytes)', "true", "copy_bandwidth"),
        ("for (int i = 0; i < copies; i++) {", "for (int i = 0; i < 3; i++) {", "copy_bandwidth"),
        ("bandwidth_of(bytes, up_ms, down_ms)", "bandwidth_of(bytes, down_ms, up_ms)",
         "copy_bandwidth",
         "which of two times is which, only an expected time would tell"),
    ],
    "ch10_streams/larger_than_memory.cu": [
        ("course::count_of((n + chunk - 1) / chunk", "course::count_of(n / chunk + 1", "larger_than_memory"),
        ("bytes / (3 * kStreams)", "bytes / (2 * kStreams)", "larger_than_memory"),
        ("second(12.0 * n, elapsed_ms)", "second(8.0 * n, elapsed_ms)", "larger_than_memory"),
        ("cudaMemcpyAsync(c + i, dev_c[s]", "cudaMemcpyAsync(c + i, dev_a[s]",
         "larger_than_memory"),
        ("s = (s + 1) % kStreams)", "s = s)", "larger_than_memory"),
        ("12.0 * kStreams * std::min(chunk, n)", "12.0 * std::min(chunk, n)", "larger_than_memory"),
        ("c.data(), expected.data(), n)) return", "c.data(), expected.data(), n / 2)) return",
         "larger_than_memory"),
        ("memory == 0 ? usable : std::min(memory, usable)", "usable", "larger_than_memory"),
        ("(n + chunk - 1) / chunk, ", "n / chunk, ", "larger_than_memory"),
    ],
    "ch10_streams/missing_dependency.cu": [
        ("cudaStreamWaitEvent(kernel_stream, arrived, 0)",
         "cudaStreamWaitEvent(copy_stream, arrived, 0)", "missing_dependency"),
        ("without < n, course", "without > n, course", "missing_dependency"),
        ("    HANDLE_ERROR(cudaStreamWaitEvent(copy_stream, computed, 0));\n", "",
         "missing_dependency"),
        ("if (with != n) {", "if (with == 0) {", "missing_dependency"),
        ("    return course::kExitWrong;", "    return 0;", "missing_dependency"),
    ],
    "ch10_streams/missing_synchronize.cu": [
        ("if (synchronize) HANDLE_ERROR", "if (!synchronize) HANDLE_ERROR", "missing_synchronize"),
        ("    return course::kExitWrong;", "    return 0;", "missing_synchronize"),
        ("i < n) data[i] = static_cast<int>(i);", "i < n - 1) data[i] = static_cast<int>(i);",
         "missing_synchronize"),
        ("without < n,", "without <= n,", "missing_synchronize",
         "the CPU device is always late, so this is never asked"),
    ],
    "common/lessons/pinned_memory.h": [
        ("~PinnedMemory() { cudaFreeHost(data_); }", "~PinnedMemory() { cudaFree(data_); }",
         "stream_graph"),
        ("flags = cudaHostAllocDefault", "flags = cudaHostAllocWriteCombined", "stream_single"),
    ],
    # ---- chapter 11
    "ch11_multigpu/devices.h": [
        ("begin = end;", "begin = end + 1;", "dot_thread_per_device"),
        ("weight >= 0 &&", "weight >= -5 &&", "dot_thread_per_device"),
        ("sum <= 0)", "sum < 0)", "dot_thread_per_device"),
        ("for (double weight : weights) sum += weight;", "sum = weights.size();",
         "dot_thread_per_device"),
        ("HANDLE_ERROR(cudaSetDevice(share.device));", "", "dot_thread_per_device",
         "all devices of the CPU device have as much memory"),
    ],
    "ch11_multigpu/dot.h": [
        ("per_thread - 1 + 8)", "per_thread - 1 + 800)", "dot_pageable"),
        ("reference.bound))", "1000 * reference.bound))", "dot_pageable"),
        ("second(8.0 * n, times.end_to_end_ms)", "second(4.0 * n, times.end_to_end_ms)", "dot_pageable"),
        ("course::median(copy), course::median(kernel)",
         "course::median(kernel), course::median(copy)", "dot_pageable"),
        ("return 8 * course::", "return 4 * course::", "dot_pageable"),
    ],
    "ch11_multigpu/dot_managed.cu": [
        ("  HANDLE_ERROR(cudaDeviceSynchronize());", "", "dot_managed"),
        ("finish(partial, blocks)", "finish(partial, blocks - 1)", "dot_managed"),
        ("blocks)) return course::kExitWrong;", "blocks)) return 0;", "dot_managed"),
        ('ahead ? "pages prefetched: " : "pages on demand:  "',
         '!ahead ? "pages prefetched: " : "pages on demand:  "', "dot_managed"),
        ("    prefetch(b, n, device);\n", "", "dot_managed",
         "managed memory of the CPU device does not move"),
    ],
    "ch11_multigpu/copied.h": [
        ("copied_ms + (elapsed_ms - computed_ms)", "copied_ms + elapsed_ms", "dot_pageable"),
        ("return course::kExitWrong;", "return 0;", "dot_pageable"),
        ("*times = {copied_ms + (elapsed_ms - computed_ms), computed_ms - copied_ms, elapsed_ms};",
         "*times = {copied_ms + (elapsed_ms - computed_ms), computed_ms, elapsed_ms};",
         "dot_pageable"),
        ("if (request.blocks == 0) request.blocks = default_blocks();",
         "request.blocks = default_blocks();", "dot_pageable"),
    ],
    "ch11_multigpu/dot_thread_per_device.cu": [
        ("cudaSetDevice(device)", "cudaSetDevice(0)", "dot_thread_per_device"),
        ("b + shares[i].begin,\n", "b,\n", "dot_thread_per_device"),
        ("run)) return course::kExitWrong;", "run)) return 0;", "dot_thread_per_device"),
        ("for (std::thread& thread : threads) thread.join();", "", "dot_thread_per_device"),
    ],
    "ch11_multigpu/dot_program.h": [
        ("second(8.0 * run.n, ms)", "second(16.0 * run.n, ms)", "dot_thread_per_device"),
        ("  course::require_devices(device_request.devices);\n", "", "dot_portable"),
        ("if (!verify_dot(result, a, b, run.n, run.blocks)) return false;",
         "if (!verify_dot(result, a, b, run.n, run.blocks)) return true;", "dot_portable"),
        ("share.device,\n           course::count_of(share.size",
         "share.device + 1,\n           course::count_of(share.size", "dot_portable"),
        ("request.blocks == 0 ? default_blocks() : request.blocks", "default_blocks()",
         "dot_portable"),
    ],
    "ch11_multigpu/dot_portable.cu": [
        ("cudaSetDevice(share.device)", "cudaSetDevice(0)", "dot_portable"),
        ("dev_b + share.begin", "dev_b", "dot_portable"),
        ("HANDLE_ERROR(cudaDeviceSynchronize());  // waits", "// waits", "dot_portable"),
        ("run)) return course::kExitWrong;", "run)) return 0;", "dot_portable"),
        ("share.size, dev_partial);", "share.size - 1, dev_partial);", "dot_portable"),
        ("for (std::thread& thread : threads) thread.join();",
         "for (std::thread& thread : threads) thread.detach();", "dot_portable"),
        ("cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;",
         "cudaHostAllocDefault;", "dot_portable"),
    ],
    "ch11_multigpu/dot_one_thread.cu": [
        ("HANDLE_ERROR(cudaSetDevice(share.device));", "HANDLE_ERROR(cudaSetDevice(0));",
         "dot_one_thread"),
        ("  HANDLE_ERROR(cudaSetDevice(0));", "", "dot_one_thread"),
        ("HANDLE_ERROR(cudaStreamSynchronize(work.stream));", "", "dot_one_thread"),
        ("request)) return course::kExitWrong;", "request)) return 0;", "dot_one_thread"),
        ("HANDLE_ERROR(cudaMemcpyAsync(work.dev_b, b + work.share.begin",
         "HANDLE_ERROR(cudaMemcpyAsync(work.dev_b, b", "dot_one_thread"),
        ("    HANDLE_ERROR(cudaSetDevice(work.share.device));\n    HANDLE_ERROR(cudaMemcpyAsync",
         "    HANDLE_ERROR(cudaMemcpyAsync", "dot_one_thread"),
        ("kThreads, 0, work.stream>>>", "kThreads>>>", "dot_one_thread",
         "the default stream waits for the others: slower, not wrong"),
    ],
    "ch11_multigpu/dot_zero_copy.cu": [
        ("HANDLE_ERROR(cudaDeviceSynchronize());", "", "dot_zero_copy"),
        ("*times = {0, computed_ms,", "*times = {computed_ms, 0,", "dot_zero_copy"),
        ("blocks)) return course::kExitWrong;", "blocks)) return 0;", "dot_zero_copy"),
        ("course::require_memory(0, 4.0 * sizeof(float) * n);",
         "course::require_memory(0, sizeof(float) * n);", "dot_zero_copy"),
    ],
    "ch11_multigpu/peer_copy.cu": [
        ("to[i] = from[i];", "to[i] = from[0];", "peer_copy"),
        ("if (!speed.verified) return course::kExitWrong;", "", "peer_copy"),
        ("cudaMemcpyPeer(target, to, source, from, bytes)",
         "cudaMemcpyPeer(target, to, source, from, bytes - 1)", "peer_copy"),
        ("HANDLE_ERROR(cudaDeviceEnablePeerAccess(from, 0));", "", "peer_copy"),
        ("words.data(), n);\n    return", "words.data(), n / 2);\n    return", "peer_copy"),
        ("    HANDLE_ERROR(cudaDeviceDisablePeerAccess(from));\n", "", "peer_copy"),
        ("second(double(bytes), ms); }", "second(4.0 * bytes, ms); }", "peer_copy"),
    ],
    "ch11_multigpu/wrong_device.cu": [
        ("broken_as_intended(error != cudaSuccess", "broken_as_intended(error == cudaSuccess", "wrong_device"),
        ("HANDLE_ERROR(cudaSetDevice(1));", "HANDLE_ERROR(cudaSetDevice(0));", "wrong_device"),
        ("  *x = 41;", "  *x = 40;", "wrong_device"),
        ("      return course::kExitWrong;", "      return 0;", "wrong_device"),
    ],
    # ---- appendix A
    "common/lock.h": [
        ("atomicExch(mutex, 0);", "atomicExch(mutex, 1);", "lock_counter"),
        ("mutex(other.mutex), owner_(false)", "mutex(other.mutex), owner_(true)", "lock_counter"),
        ("    HANDLE_ERROR(cudaMemset(mutex, 0, sizeof(int)));\n", "", "lock_counter"),
        ("    while (atomicCAS(mutex, 0, 1) != 0) {\n    }\n", "",
         "check:appA_hashtable/lock_counter.cu --blocks 4"),
        ("    }\n    __threadfence();", "    }", "check:appA_hashtable/lock_counter.cu --blocks 4"),
        ("    __threadfence();\n    atomicExch(mutex, 0);", "    atomicExch(mutex, 0);",
         "check:appA_hashtable/lock_counter.cu --blocks 4"),
        ("    atomicExch(mutex, 0);", "    *mutex = 0;",
         "check:appA_hashtable/lock_counter.cu --blocks 4"),
    ],
    "appA_hashtable/dot.h": [
        ("  HANDLE_ERROR(cudaMemset(device.result, 0, sizeof(float)));\n", "", "dot_atomic_add"),
        ("1, 0, reference.bound)", "1, 0, 1000 * reference.bound)", "dot_atomic_add"),
        ("second(8.0 * request.size, ms)", "second(8.0 * request.blocks, ms)", "dot_atomic_add"),
        ("per_thread - 1 + 8 + blocks)", "per_thread - 1 + 800 + blocks)", "dot_atomic_add"),
        ("request.blocks = 8 * course::", "request.blocks = 4 * course::", "dot_atomic_add"),
        ('options.number("seconds", &request.seconds,',
         'options.number("seconds", &request.blocks,', "dot_atomic_add"),
        ('printf("dot product %.9g, verified\\n", result);',
         'printf("dot product %.9g, verified\\n", 2 * result);', "dot_atomic_add"),
    ],
    "appA_hashtable/dot_atomic_add.cu": [
        ("if (threadIdx.x == 0) atomicAdd", "if (threadIdx.x < 2) atomicAdd", "dot_atomic_add"),
        ("atomicAdd(result, cache[0]);", "*result += cache[0];",
         "check:appA_hashtable/dot_atomic_add.cu --size 5000 --blocks 4"),
    ],
    "appA_hashtable/dot_locked.cu": [
        ("*result += cache[0];", "*result = cache[0];", "dot_locked"),
        ("    lock.lock();\n", "", "check:appA_hashtable/dot_locked.cu --size 5000 --blocks 4"),
        ("    lock.unlock();\n", "", "dot_locked"),
    ],
    "appA_hashtable/lock_counter.cu": [
        ("*counter += 1;", "*counter += 2;", "lock_counter"),
    ],
    "appA_hashtable/lock_program.h": [
        ("1e6 * ms / expected", "1e3 * ms / expected", "lock_counter"),
        ("&counter, &expected, 1)", "&expected, &expected, 1)", "lock_counter"),
        ("if (!count_and_verify()) return course::kExitWrong;",
         "if (!count_and_verify()) return 0;", "lock_counter"),
    ],
    "appA_hashtable/lock_acquire_release.cu": [
        ("*counter += 1;", "*counter += 2;", "lock_acquire_release"),
        ("exchange(1, cuda::memory_order_acquire)", "exchange(1, cuda::memory_order_relaxed)",
         "check:appA_hashtable/lock_acquire_release.cu --blocks 4"),
        ("store(0, cuda::memory_order_release)", "store(0, cuda::memory_order_relaxed)",
         "check:appA_hashtable/lock_acquire_release.cu --blocks 4"),
    ],
    "appA_hashtable/soak.h": [
        ("host_growth <= allowed_bytes", "host_growth > 0", "lock_counter"),
        ("device_loses && free_before", "device_loses || free_before", "lock_counter",
         "the device's memory only shrinks in the test of the loss; other programs would be seen"),
        ("!repeat(&rounds, 0, watch) || !repeat(&rounds, 0, watch)", "!repeat(&rounds, 0, watch)",
         "lock_counter"),
        ('fprintf(stderr, "wrong in round %ld\\n", *rounds + 1);\n        return false;',
         'fprintf(stderr, "wrong in round %ld\\n", *rounds + 1);\n        return true;',
         "lock_counter"),
        ("250 * quarter * seconds", "25 * quarter * seconds", "lock_counter"),
        ("watch.elapsed_ms() * 1e-3, host_growth", "watch.elapsed_ms(), host_growth",
         "lock_counter"),
        ("allowed_bytes = 64 << 20;", "allowed_bytes = 1LL << 40;", "lock_counter"),
    ],
    "appA_hashtable/lock_test_then_set.cu": [
        ("wrong < expected,", "wrong > expected,", "lock_test_then_set"),
        ("count_threads(true, blocks, threads)", "count_threads(false, blocks, threads)",
         "lock_test_then_set"),
        ("    return course::kExitWrong;", "    return 0;", "lock_test_then_set"),
        ("right, expected);\n  if", "wrong, expected);\n  if", "lock_test_then_set"),
    ],
    "appA_hashtable/hash_table.h": [
        ("return left >= 32 ?", "return left > 32 ?", "hash_one_lock.options"),
        ("return key % static_cast<unsigned int>(count);",
         "return (key >> 1) % static_cast<unsigned int>(count);", "hash_cpu"),
        ('if (found == elements) return "";', 'return "";', "hash_cpu"),
        ("entry->value != values[i] || hash(", "hash(", "hash_cpu"),
        ("1e-3 * request.elements / times.build_ms", "2e-3 * request.elements / times.build_ms",
         "hash_exchange"),
        ("(pointer - table.pool);", "(pointer - table.pool) + 1;", "hash_exchange"),
        ("HANDLE_ERROR(cudaMemset(table.entries, 0, buckets * sizeof(Entry*)));", "",
         "hash_exchange"),
        ("if (!build_and_verify()) return course::kExitWrong;\n  const",
         "build_and_verify();\n  const", "hash_exchange",
         "the second, warm build is verified as well"),
        ("static_cast<unsigned int>(1024 * i);", "static_cast<unsigned int>(512 * i);",
         "hash_exchange"),
        ("course::Random random(7);", "course::Random random(8);", "hash_exchange"),
        ("static_cast<unsigned int>(i) * 2654435761u;", "0;", "hash_exchange"),
        ("request.threads_per_bucket * request.buckets / request.threads",
         "request.threads_per_bucket * request.buckets", "hash_exchange"),
        ("  HANDLE_ERROR(cudaFree(table.pool));\n", "", "hash_exchange"),
        ("size_t buckets = 1024;", "size_t buckets = 512;", "hash_cpu.options"),
    ],
    "appA_hashtable/hash_cpu.cu": [
        ("table.entries[bucket] = entry;", "", "hash_cpu"),
        ("entry->next = table.entries[bucket];", "entry->next = nullptr;", "hash_cpu"),
    ],
    "appA_hashtable/hash_bucket_locks.cu": [
        ("entry->next = table.entries[bucket];", "entry->next = nullptr;", "hash_bucket_locks"),
        ("        lock.lock();\n", "",
         "check:appA_hashtable/hash_bucket_locks.cu --size 300 --buckets 4"),
    ],
    "appA_hashtable/hash_one_lock.cu": [
        ("turn < 32; turn++", "turn < 31; turn++", "hash_one_lock"),
        ("        lock.lock();\n", "", "check:appA_hashtable/hash_one_lock.cu --size 300"),
    ],
    "appA_hashtable/hash_exchange.cu": [
        ("entry->value = values[i];", "entry->value = keys[i];", "hash_exchange"),
        ("reinterpret_cast<Entry*>(atomicExch(word, reinterpret_cast<unsigned long "
         "long>(entry)))",
         "reinterpret_cast<Entry*>(*word); *word = reinterpret_cast<unsigned long long>(entry)",
         "check:appA_hashtable/hash_exchange.cu --size 300 --buckets 4"),
    ],
    "appA_hashtable/hash_block_chains.cu": [
        ("if (before == kNone) tails", "if (before != kNone) tails", "hash_block_chains"),
        ("if (request.buckets > most_buckets())", "if (request.buckets > 2 * most_buckets())",
         "hash_block_chains"),
        ("heads[bucket] = kNone;\n  __syncthreads();", "heads[bucket] = kNone;",
         "check:appA_hashtable/hash_block_chains.cu --size 300 --buckets 40"),
        ("  }\n  __syncthreads();\n", "  }\n",
         "check:appA_hashtable/hash_block_chains.cu --size 3000 --buckets 40"),
    ],
    "appA_hashtable/hash_lock_free.cu": [
        ("while (found != expected);", "while (false);", "hash_lock_free",
         "on the CPU device no thread comes between the read and the swap; a GPU shows it"),
        ("entry->next = reinterpret_cast<Entry*>(expected);", "entry->next = nullptr;",
         "hash_lock_free"),
    ],
    "appA_hashtable/hash_lost_insert.cu": [
        ("if (words != 1)", "if (words != 2)", "hash_lost_insert"),
    ],
    "appA_hashtable/hash_warp_contention.cu": [
        ('lockstep ? "1" : "0"', '"0"', "hash_warp_contention"),
    ],
    "appA_hashtable/hash_find.cu": [
        ("const Slot there = atomicCAS(&table.slots[place], kEmpty, entry);",
         "const Slot there = table.slots[place]; if (there == kEmpty) table.slots[place] = "
         "entry;", "check:appA_hashtable/hash_find.cu --size 3000"),
        ("block_counts[p] = 0;\n  __syncthreads();\n  for (size_t i",
         "block_counts[p] = 0;\n  for (size_t i", "check:appA_hashtable/hash_find.cu --size 3000"),
        ("    __syncthreads();\n    sums[p] += other;", "    sums[p] += other;",
         "check:appA_hashtable/hash_find.cu --size 3000"),
        ("    if (block_counts[p] > 0) block_begins[p] = atomicAdd(&begins[p], "
         "block_counts[p]);\n  __syncthreads();",
         "    if (block_counts[p] > 0) block_begins[p] = atomicAdd(&begins[p], block_counts[p]);",
         "check:appA_hashtable/hash_find.cu --size 30000"),
        ("if (there == kEmpty || there >> 32 == key) return;", "if (there == kEmpty) return;",
         "hash_find"),
        ("if (there >> 32 == key) return static_cast", "if (there >> 32 >= key) return static_cast",
         "hash_find"),
        ("const Slot there = table.slots[place];\n    if (there == kEmpty) return kNothing;",
         "const Slot there = table.slots[place];\n    if (there == kEmpty) return 0;", "hash_find"),
        ("counts[p] = sums[p] - mine;", "counts[p] = sums[p];", "hash_find"),
        ("distance < kMostPartitions; distance", "distance < kMostPartitions / 2; distance",
         "hash_find"),
        ("block_begins[p] = atomicAdd(&begins[p], block_counts[p]);",
         "{ block_begins[p] = begins[p]; begins[p] += block_counts[p]; }",
         "check:appA_hashtable/hash_find.cu --size 30000"),
        ("else if (values[i] >= keys.size() || keys[values[i]] != questions[i])",
         "else if (values[i] >= keys.size())", "hash_find"),
        ('return missed.empty() ? "" : "key " + std::to_string(missed[0]) + " is not found";',
         'return "";', "hash_find"),
        ("    return course::kExitWrong;", "    return 0;", "hash_find"),
        ("      device.clear();\n", "", "hash_find",
         "only what is timed is another thing: keys that are there already"),
        ("1e-3 * n / times.build_ms, times.find_ms", "1e-6 * n / times.build_ms, times.find_ms",
         "hash_find"),
        ("1e-3 * n / times.find_ms", "2e-3 * n / times.find_ms", "hash_find"),
        ("100.0 * n / load + 1", "200.0 * n / load + 1", "hash_find"),
        ("ask(keys, questions, slots, partitions, &times);",
         "ask(keys, questions, slots, 1, &times);", "hash_find"),
        ("(key ^ key >> 13)", "(key ^ key >> 12)", "hash_find"),
        ("  return key ^ key >> 16;", "  return key & 0xff;", "hash_find"),
        ("i % 2 == 0 ? keys[random", "i % 2 == 2 ? keys[random", "hash_find"),
        ("std::count(values.begin(), values.end(), kNothing);",
         "std::count(values.begin(), values.end(), 0u);", "hash_find"),
    ],
    # ---- N-body
    "nbody/body.h": [
        ("return length * length;", "return length;", "nbody_cpu"),
        ("(mass * inverse) * (inverse * inverse)", "mass * (inverse * inverse)", "nbody_cpu"),
        ("acceleration.y += strength * dy;", "acceleration.y += strength * dx;", "nbody_cpu"),
        ("acceleration.z += strength * dz;", "acceleration.z -= strength * dz;", "nbody_cpu"),
        ("smallest = 1e-10f;", "smallest = 1e-2f;", "nbody_cpu"),
        ("kOperationsPerInteraction = 20;", "kOperationsPerInteraction = 22;", "nbody_shared"),
    ],
    "nbody/gravity_cpu.h": [
        ("    for (int j = 0; j < n; j++)\n      attract(sum, bodies[j].x - me.x, bodies[j].y - me.y, "
         "bodies[j].z - me.z, bodies[j].w,\n              softening_squared);\n    accelerations[i] = sum;\n"
         "  }\n}\n\n#ifdef", "    accelerations[i] = sum;\n  }\n}\n\n#ifdef", "nbody_cpu"),
    ],
    "nbody/gravity_float3.h": [
        ("other.y - me.y", "me.y - other.y", "nbody_float3"),
    ],
    "nbody/gravity_float4.h": [
        ("const float4 me = bodies[first + i];", "const float4 me = bodies[i];", "nbody_float4"),
    ],
    "nbody/gravity_shared.h": [
        ("mine < n ? bodies[mine] : massless", "bodies[mine < n ? mine : 0]", "nbody_shared"),
        ("j < tile_size; j++", "j < tile_size - 1; j++", "nbody_shared"),
        ("    __syncthreads();  // the tile is full\n", "",
         "check:nbody/nbody_shared.cu --size 300 --threads 64 --steps 1"),
        ("    __syncthreads();  // all threads have read", "    // all threads have read",
         "check:nbody/nbody_shared.cu --size 300 --threads 64 --steps 1"),
    ],
    "nbody/gravity_constant.h": [
        ("  HANDLE_ERROR(cudaMemsetAsync(field.accelerations, 0, field.count * sizeof(float3), "
         "field.stream));\n", "", "nbody_constant"),
        ("cudaMemcpyToSymbolAsync(constant_bodies, field.bodies + start",
         "cudaMemcpyToSymbolAsync(constant_bodies, field.bodies", "nbody_constant"),
    ],
    "nbody/gravity_registers.h": [
        ("slice < slices; slice++", "slice < slices - 1; slice++", "nbody_registers"),
        ("if (body < count) sums[body] = sum[k];", "if (body < count) sums[body] = sum[0];",
         "nbody_registers"),
        ("return {blocks_for(tiles, tiles_per_slice), tiles_per_slice * threads};",
         "return {blocks_for(tiles, tiles_per_slice) + 1, tiles_per_slice * threads};",
         "nbody_registers"),
        ("    }\n    __syncthreads();\n  }\n", "    }\n  }\n",
         "check:nbody/nbody_registers.cu --size 300 --threads 32 --steps 1"),
    ],
    "nbody/state.h": [
        ("p.x -= static_cast<float>(position.x / mass);",
         "p.x += static_cast<float>(position.x / mass);", "nbody_starts"),
        ("v.x -= static_cast<float>(velocity.x / mass);",
         "v.x += static_cast<float>(velocity.x / mass);", "nbody_starts"),
        ("2.0 * random.uniform() - 1.0;", "2.0 * random.uniform() - 0.9;", "nbody_starts"),
    ],
    "nbody/initial_conditions.h": [
        ("(1 - q * q, 3.5)", "(1 - q * q, 3.0)", "nbody_simulation.reverse"),
        ("if (!(radius < 10)) continue;", "if (!(radius < 5)) continue;", "nbody_simulation.reverse"),
        ("std::pow(share, -2.0 / 3) - 1", "std::pow(share, -1.0 / 3) - 1", "nbody_simulation.reverse"),
        ("speed = std::sqrt(3.0);", "speed = std::sqrt(2.0);", "nbody_simulation.reverse"),
    ],
    "nbody/galaxies.h": [
        ("return r * (at(round_pull_, r) + at(flat_pull_, r));", "return r * at(round_pull_, r);",
         "nbody_starts"),
        ("return 2 * at(depth_, r);", "return at(depth_, r);", "nbody_starts"),
        ("return at(halo_weight_, r) / density(r, kHaloScale);",
         "return 2 * at(halo_weight_, r) / density(r, kHaloScale);", "nbody_starts"),
        ("return {std::sqrt(around), radial,", "return {std::sqrt(around) * 0.8, radial,", "nbody_starts"),
        ("kDiscMass * std::exp(-r)", "kDiscMass * std::exp(-2 * r)", "nbody_starts"),
    ],
    "nbody/bodies.h": [
        ("values[1], values[2], values[3]", "values[1], values[3], values[2]",
         "nbody_simulation.reverse"),
        ('"%.9g  %.9g %.9g %.9g  %.9g %.9g %.9g\\n"', '"%.8g  %.8g %.8g %.8g  %.8g %.8g %.8g\\n"',
         "nbody_simulation.reverse"),
        ("if (values[0] < 0)", "if (values[0] < -1)", "nbody_float4"),
        ("i = 1; i < 4; i++", "i = 1; i < 3; i++", "nbody_float4"),
        ("if (!std::isfinite(values[i]))", "if (std::isnan(values[i]))", "nbody_float4"),
    ],
    "nbody/double_precision_reference.h": [
        ("return 1e-5 * std::max", "return 1e-3 * std::max", "nbody_cpu"),
        ("difference == 0 ? 0 : std::sqrt(difference / norm)",
         "difference == 0 ? 0 : difference / norm", "nbody_cpu"),
        ("kinetic += 0.5 * p.w", "kinetic += p.w", "nbody_simulation.reverse"),
        ("potential -= static_cast", "potential += static_cast", "nbody_simulation.reverse"),
        ("result.momentum.y += static_cast<double>(p.w) * v.y;",
         "result.momentum.y += static_cast<double>(p.w) * v.x;", "nbody_simulation.reverse"),
        ("static_cast<int>(i * n / count)", "static_cast<int>(i)", "nbody_cpu"),
        ("if (result.relative_error <= bound) return true;", "return true;", "nbody_float4"),
    ],
    "nbody/simulation.h": [
        ("const float half = settings_.dt / 2;", "const float half = settings_.dt;",
         "nbody_simulation.reverse"),
        ("if (leapfrog) move(half, 0);", "", "nbody_simulation.reverse"),
        ("if (shares_.size() > 1) exchange", "if (shares_.size() > 2) exchange",
         "nbody_simulation.reverse"),
        ("bodies.velocities.data() + share.first,", "bodies.velocities.data(),",
         "nbody_simulation.reverse"),
        ("bodies[i].y += drift_time * velocity.y;", "bodies[i].y += kick_time * velocity.y;",
         "nbody_simulation.reverse"),
        ('name == "euler" ? Integrator::kEuler', 'name != "euler" ? Integrator::kEuler',
         "nbody_simulation.reverse"),
        ("        HANDLE_ERROR(cudaStreamWaitEvent(to.stream, from.drifted, 0));\n", "",
         "check:nbody/nbody_simulation.cu --size 200 --steps 3 --devices 2"),
    ],
    "nbody/program.h": [
        ("return timer.stop() / steps;", "return timer.stop() / (2 * steps);",
         "nbody_simulation.reverse"),
        ("return watch.elapsed_ms() / steps;", "return watch.elapsed_ms() / (2 * steps);",
         "nbody_simulation.reverse"),
        ("2.0 * kChains * rounds * threads", "1.0 * kChains * rounds * threads", "nbody_cpu"),
        ("round < rounds; round++", "round < rounds / 2; round++", "nbody_cpu"),
        ("static_cast<double>(n) * n / (ms * 1e-3)",
         "static_cast<double>(n) * (n - 1) / (ms * 1e-3)", "nbody_cpu"),
        ("operations * 1e-9, 100 * operations / peak", "operations * 1e-9, 50 * operations / peak",
         "nbody_float4"),
        ("course::require_devices(settings.devices);",
         'setenv("CPU_DEVICE_COUNT", "1", 0); course::require_devices(settings.devices);',
         "nbody_float4"),
        ("if (!verify_accelerations(version.name, bodies",
         "if (false && !verify_accelerations(version.name, bodies", "nbody_float4",
         "the accelerations at the end are verified as well"),
    ],
    "nbody/nbody_simulation.cu": [
        ("nbody::write_bodies(save_state, now);", "nbody::write_bodies(save_state, bodies);",
         "nbody_simulation.reverse"),
    ],
    "nbody/nbody_orbit.cu": [
        ("settings.integrator = integrator;", "settings.integrator = Integrator::kLeapfrog;",
         "nbody_orbit"),
        ("* dt / turns;", "* dt / (turns + 1);", "nbody_orbit"),
        ("if (!(best < 1e-3))", "if (!(best < 1e-9))", "nbody_orbit"),
    ],
    "nbody/nbody_table.cu": [
        ('"%.1f %%", 100 * operations / peak', '"%.1f %%", 50 * operations / peak', "nbody_table"),
        ("ms, interactions * 1e-9,\n         operations", "ms, interactions * 1e-6,\n         operations",
         "nbody_table"),
    ],
    "nbody/periodic.h": [
        ("12582912.0f", "8388608.0f", "nbody_periodic"),
        ("return inside < 1 ? inside : 0;", "return inside;", "nbody_periodic"),
    ],
    "nbody/nbody_periodic.cu": [
        ("box.velocities[i].y += dt * sum.y;", "box.velocities[i].y += dt * sum.x;",
         "nbody_periodic"),
        ("if (i == 0) track[step] = positions[0];", "if (i == 0) track[0] = positions[0];",
         "nbody_periodic"),
    ],
    "nbody/splats.h": [
        ("count * 95 / 100", "count * 50 / 100", "nbody_view"),
        ("{sy * sp, cp, -cy * sp}", "{-sy * sp, cp, cy * sp}", "nbody_view"),
        ("{{cy, 0, sy},", "{{cy, 0, cy},", "nbody_view"),
        ("return left * left;", "return left;", "nbody_view"),
        ("const float scale = 1 / (1 + (r + g + b) / 3);", "const float scale = 1;", "nbody_view"),
        ("1 - distance_squared / radius_squared", "1 - distance_squared / radius_squared / 2",
         "nbody_view"),
        ("wrap(place.y + 0.5f) - 0.5f", "wrap(place.y) - 0.5f", "nbody_view"),
        ("body.x + shot.ahead * velocity.x", "body.x - shot.ahead * velocity.x", "nbody_view"),
    ],
    "nbody/nbody_view.cu": [
        ("due_ -= steps * dt;", "due_ -= dt;", "nbody_view"),
        ("measured > shown ? 0.3 : 5", "measured > shown ? 5 : 0.3", "nbody_view"),
    ],
    "nbody/gravity_pairs.h": [
        ("sums[k].z += to_other * d[k].z;", "sums[k].z += to_other * d[k].y;", "nbody_pairs"),
        ("if (body >= plan.first) body += plan.count;",
         "if (body > plan.first) body += plan.count;", "nbody_pairs"),
        ("plan.first_row > 0 ? accelerations[body]", "false ? accelerations[body]", "nbody_pairs"),
        ("k < kSummers; k++) {\n    sum.x", "k < kSummers - 1; k++) {\n    sum.x", "nbody_pairs"),
        ("static_cast<size_t>(plan.blocks + plan.rows) * plan.row_size",
         "static_cast<size_t>(plan.blocks) * plan.row_size", "nbody_pairs"),
        ("w < kWarps; w++) {\n        const float3 part",
         "w < 1; w++) {\n        const float3 part", "nbody_pairs"),
        ("    parts[threadIdx.y][threadIdx.x] = sum;\n  }\n  __syncthreads();",
         "    parts[threadIdx.y][threadIdx.x] = sum;\n  }",
         "check:nbody/nbody_pairs.cu --size 700 --steps 1"),
    ],
    "nbody/gravity_periodic.h": [
        ("nearest(tile[j].z - me.z)", "tile[j].z - me.z", "nbody_view"),
        ("mine < n ? bodies[mine] : massless", "bodies[mine < n ? mine : 0]", "nbody_view"),
    ],
    # ---- common
    "common/program/compare.h": [
        ("excess <= 0 && tolerance > 0", "excess <= 0", "common"),
        ("std::isnan(excess) ? std::numeric_limits<double>::infinity() : excess", "excess",
         "common"),
        ("outcome.equal = outcome.differing == 0;", "outcome.equal = outcome.differing <= 1;",
         "common"),
        ("std::fabs(want);", "want;", "common"),
        ("is_negative(result) == is_negative(expected)", "true", "common"),
        ("if (!same) difference.differing_pixels++;", "if (same) difference.differing_pixels++;",
         "common"),
        ("if (rank > worst_excess)", "if (rank >= worst_excess)", "common"),
        ("max_digits10", "digits10", "common"),
    ],
    "common/program/options.h": [
        ("kExitUsage = 2;", "kExitUsage = 1;", "common"),
        ("kExitSkipped = 77;", "kExitSkipped = 0;", "common"),
        ("parsed < low ||", "parsed <= low ||", "common"),
        ("end == text || *end != '\\0' || errno", "end == text || errno", "common"),
        ("!(parsed >= low && parsed <= high)", "parsed < low || parsed > high", "common"),
        ("if (optind < argc)", "if (optind + 1 < argc)", "common"),
        ("path.size() > ending.size() &&", "path.size() >= ending.size() &&", "common"),
        ("if (word == text) {", "if (word[0] == text[0]) {", "common"),
        ("problem = EISDIR;", "problem = 0;", "common"),
    ],
    "common/program/random.h": [
        ("bits() >> 8", "bits() >> 9", "common"),
        ("* count) >> 32", "* count) >> 31", "common"),
        ("number < high ? number : std::nextafter(high, low)", "number", "common"),
    ],
    "common/lessons/heat_colors.h": [
        ("(180 + static_cast<int>(360.0f", "(170 + static_cast<int>(360.0f", "common"),
        ("lightness <= 0.5f ?", "lightness <= 0.6f ?", "common"),
        ("static_cast<float>(240 - hue)", "static_cast<float>(hue - 180)", "common"),
        ("optr[offset] = heat_color", "optr[offset ^ 1] = heat_color", "common"),
    ],
    "common/book.h": [
        ("random.bits() >> 1", "random.bits()", "common"),
    ],
    "common/handle_error.h": [
        ("if (error == cudaSuccess) return;", "return;", "common"),
    ],
    "common/program/device.h": [
        ("  return count;\n", "  return count + 1;\n", "common"),
        ("while (bytes >= 1000 && unit < 6)", "while (bytes >= 1024 && unit < 6)", "common"),
        ("if (bytes > 0.9 * available)", "if (bytes > 1e30 * available)", "common"),
        ("if (present < wanted)", "if (present <= wanted)", "dot_one_thread"),
        ("if (bytes > static_cast<double>(device_free))", "if (bytes < 0)",
         "vector_add_blocks"),
        ("std::min(wanted, 16)", "std::min(wanted, 8)", "dot_portable"),
        ("std::max(0.0, limit - used)", "limit", "common"),
    ],
    "common/program/timing.h": [
        ("(values[middle - 1] + values[middle]) / 2", "values[middle]", "common"),
        ("duration<double, std::milli>", "duration<double>", "common"),
        ("times.push_back(timed_run());", "times.push_back((timed_run(), all.elapsed_ms()));", "common"),
        ("        timer.start();\n        work();", "        work();\n        timer.start();", "common"),
    ],
    "common/pictures/picture.h": [
        ("bottom_first = -4 * width;", "bottom_first = 4 * width;", "common"),
    ],
    "common/program/write_file.h": [
        ("if (!special && problem != 0 && file >= 0) unlink(target.c_str());", "", "common"),
        ("if (part < 0 && errno != EINTR) problem = errno;", "if (part < 0) break;", "common"),
    ],
    "common/pictures/animation.h": [
        ("(height_ - 1 - y)", "y", "cpu_anim"),
        ("kFrameDuration = 33;", "kFrameDuration = 330;", "cpu_anim",
         "a constant that the test takes from the header: any pace would be right"),
    ],
    "common/program/watchdog.h": [
        ("outcome.signal = WTERMSIG(status);", "outcome.exit_code = WTERMSIG(status);", "watchdog"),
        ("MAP_SHARED | MAP_ANONYMOUS", "MAP_PRIVATE | MAP_ANONYMOUS", "watchdog"),
        ("      kill(child, SIGKILL);\n", "", "watchdog"),
    ],
    "common/pictures/verify_picture.h": [
        ("int(expected[first])) <= largest)", "int(expected[first])) <= largest + 1)", "common"),
        ("255 * std::max(distance(channel), distance(3)) / largest",
         "255 * distance(channel) / largest", "common"),
        ("int largest = 2, dim3 block", "int largest = 20, dim3 block", "common"),
    ],
    "common/program/broken_on_purpose.h": [
        ("outcome.hung || outcome.error != cudaSuccess || wrong", "outcome.hung", "dot_broken"),
        ("outcome[0].hung = attempt.hung;", "", "dot_broken",
         "nothing hangs on the CPU device"),
        ("!may_hide ? kExitWrong : 0", "!may_hide ? 0 : kExitWrong", "common"),
    ],
    "common/program/cpu_baseline.h": [
        ("return omp_get_max_threads();", "return 1;", "histogram_cores"),
        ('return "all " + count_of(cores(), "core");', 'return count_of(cores(), "core");',
         "histogram_cores"),
    ],
}


class Fault:
    def __init__(self, number, path, text, replacement, test, survives=""):
        self.number, self.path, self.test, self.survives = number, path, test, survives
        self.text, self.replacement = text, replacement

    def where(self, root):
        """The source with its fault, or None, and file:line."""
        with open(os.path.join(root, self.path), encoding="utf-8") as file:
            source = file.read()
        count = source.count(self.text)
        if count != 1:
            return None, f"{self.path}: {count} times"
        line = source.count("\n", 0, source.index(self.text)) + 1
        return source.replace(self.text, self.replacement), f"{self.path}:{line}"

    def __str__(self):
        def short(text):
            text = " ".join(text.split())
            return text if len(text) <= 50 else text[:47] + "..."

        return f"`{short(self.text)}` -> `{short(self.replacement)}`"


def all_faults():
    faults = []
    for path, entries in FAULTS.items():
        for entry in entries:
            faults.append(Fault(len(faults) + 1, path, *entry))
    return faults


def chosen(faults, words):
    if not words:
        return faults
    result = []
    for word in words:
        found = [f for f in faults
                 if word in (str(f.number), f.test, f.path, os.path.basename(f.path))]
        if not found:
            sys.exit(f"mutants.py: no fault has the number, test or file '{word}'; see --list")
        result += [f for f in found if f not in result]
    return result


def run(command, folder, environment=None, limit_s=None, unset=()):
    """Returns exit code and output; the exit code is None if the time limit was reached."""
    merged = {k: v for k, v in os.environ.items() if k not in unset}
    merged.update(environment or {})
    process = subprocess.Popen(command, cwd=folder, env=merged, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        output, _ = process.communicate(timeout=limit_s)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        code = None
    return code, output.decode("utf-8", "replace")


class Copy:
    """A copy of the tree with a build folder of its own."""

    def __init__(self, folder):
        self.root = folder
        self.build = os.path.join(folder, "build", "cpu")
        self.synchronize()
        self.must(["cmake", "--preset", "cpu"], "cmake")
        self.must(["ninja", "-C", self.build, "-j1", "cpu_device", "course_test_main"], "ninja")
        listing = json.loads(self.must(["ctest", "--test-dir", self.build, "--show-only=json-v1"],
                                       "ctest"))
        self.tests = {test["name"]: test for test in listing["tests"]}
        nvcc = os.path.join(self.root, "common/cpu_device/nvcc")
        self.can_check = "--check" in run([nvcc, "--help"], self.root)[1]

    def must(self, command, what):
        code, output = run(command, self.root)
        if code != 0:
            raise RuntimeError(f"{what} fails in {self.root}:\n{output[-2000:]}")
        return output

    def synchronize(self):
        """Makes the copy equal to the tree; files that are equal already keep their times."""
        wanted = set()
        for folder, folders, files in os.walk(ROOT):
            folders[:] = [f for f in folders if f not in LEFT_OUT and not f.startswith(".gpu")]
            for name in files:
                source = os.path.join(folder, name)
                if not os.path.exists(source):  # a link into a cache that is gone
                    continue
                relative = os.path.relpath(source, ROOT)
                wanted.add(relative)
                target = os.path.join(self.root, relative)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                content = read(source)
                if relative == "CMakeLists.txt":  # compiles in half the time
                    content = content.replace(b"-std=c++17 -O2 -g)", b"-std=c++17 -O1)")
                if not os.path.exists(target) or read(target) != content:
                    with open(target, "wb") as file:
                        file.write(content)
                    shutil.copymode(source, target)
        for folder, folders, files in os.walk(self.root):
            folders[:] = [f for f in folders if f not in LEFT_OUT and not f.startswith(".gpu")]
            for name in files:
                if os.path.relpath(os.path.join(folder, name), self.root) not in wanted:
                    os.remove(os.path.join(folder, name))

    def try_test(self, test, limit_s, faulty=False):
        """Builds and runs it. Returns "passed", "failed", "skipped" or "not built", and output.

        A test includes its program, so most faults show in it alone: where the tree is `faulty`,
        it runs first with the program as it was, and the program is built only if that passes."""
        if test.startswith("check:"):
            return self.try_check(test[len("check:"):].split(), limit_s)
        entry = self.tests[test]
        properties = {p["name"]: p["value"] for p in entry["properties"]}
        environment = dict(e.split("=", 1) for e in properties["ENVIRONMENT"])
        own = "command_line_check" if test.endswith(".options") else test.split(".")[0] + "_test"
        own = os.path.join(self.build, "tests", own)
        program = environment.get("COURSE_PROGRAM")
        steps = [[own]] if program is None else [[own], [program]] if faulty else [[own, program]]
        for targets in steps:
            keep = faulty and targets == [program]
            if keep:
                shutil.copy2(program, program + ".good")
            try:
                code, output = run(["ninja", "-C", self.build, "-j1"]
                                   + [os.path.relpath(t, self.build) for t in targets], self.root)
                if code != 0:
                    return "not built", output
                command = [word for word in entry["command"] if "-exclude=" not in word]
                code, output = run(command + ["--abort-after=1"],
                                   properties["WORKING_DIRECTORY"], environment, limit_s,
                                   unset=("DISPLAY", "WAYLAND_DISPLAY", "COURSE_REMEMBER"))
            finally:
                if keep:
                    os.replace(program + ".good", program)
            if code != 0:
                return "skipped" if code == 77 else "failed", output
        return "passed", output

    def try_check(self, words, limit_s):
        program = os.path.join(self.build, "checked")
        libraries = ["-Xlinker", "--as-needed", "-lglut", "-lGLEW", "-lGL", "-lpng", "-lwebpmux",
                     "-lwebp"]
        environment = {"CPU_DEVICE_CACHE": os.path.join(self.build, "cpu_device")}
        code, output = run(["common/cpu_device/nvcc", "--check", words[0], "-o", program]
                           + libraries, self.root, environment)
        if code != 0:
            return "not built", output
        code, output = run([program] + words[1:], self.build, environment, limit_s,
                           unset=("DISPLAY", "WAYLAND_DISPLAY"))
        return {0: "passed", 77: "skipped"}.get(code, "failed"), output


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Report:
    def __init__(self, total):
        self.lock = threading.Lock()
        self.total, self.done = total, 0
        self.killed, self.survived, self.expected, self.skipped, self.broken = [], [], [], [], []

    def add(self, fault, words, kind, where, seconds=0.0, detail=""):
        with self.lock:
            self.done += 1
            getattr(self, kind).append(fault)
            print(f"{self.done:4} of {self.total}  #{fault.number:<4}{words:16} {where}  {fault}  "
                  f"({fault.test}, {seconds:.0f} s)", flush=True)
            if detail:
                print("          " + detail.strip().replace("\n", "\n          "), flush=True)

    def summary(self):
        tried = len(self.killed) + len(self.survived) + len(self.expected)
        share = len(self.killed) / tried if tried else 1.0
        print(f"\n{len(self.killed)} of {tried} faults are killed: {100 * share:.1f} %")
        for fault in self.survived:
            print(f"  survived: #{fault.number} {fault.path} {fault}")
        for fault in self.expected:
            print(f"  survived, as expected: #{fault.number} {fault.path} {fault}\n"
                  f"    {fault.survives}")
        for fault in self.broken:
            print(f"  to be mended: #{fault.number} {fault.path} {fault}")
        if self.skipped:
            print(f"  {len(self.skipped)} were skipped: this nvcc has no --check")
        return 0 if share >= WANTED_SHARE and not self.survived and not self.broken else 1


def work(copy, groups, report):
    while True:
        try:
            test, faults = groups.get_nowait()
        except queue.Empty:
            return
        if test.startswith("check:") and not copy.can_check:
            for fault in faults:
                report.add(fault, "skipped", "skipped", fault.path)
            continue
        begin = time.monotonic()
        state, output = ("no such test", "") if not (
            test in copy.tests or test.startswith("check:")) else copy.try_test(test, 900)
        if state != "passed":
            detail = f"without it the test is '{state}': {output[-1500:]}"
            for fault in faults:
                report.add(fault, "NO BASELINE", "broken", fault.path, 0, detail)
                detail = ""
            continue
        limit_s = 60 + 10 * (time.monotonic() - begin)
        for fault in faults:
            try_fault(copy, fault, limit_s, report)


def try_fault(copy, fault, limit_s, report):
    changed, where = fault.where(copy.root)
    if changed is None:
        report.add(fault, "NOT FOUND", "broken", where)
        return
    path = os.path.join(copy.root, fault.path)
    with open(path, encoding="utf-8") as file:
        original = file.read()
    begin = time.monotonic()
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(changed)
        state, output = copy.try_test(fault.test, limit_s, faulty=True)
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(original)
    seconds = time.monotonic() - begin
    if state == "not built":
        report.add(fault, "DOES NOT COMPILE", "broken", where, seconds, output[-600:])
    elif state == "failed":
        report.add(fault, "killed", "killed", where, seconds)
    elif fault.survives:
        report.add(fault, "survived", "expected", where, seconds, fault.survives)
    else:
        report.add(fault, "SURVIVED", "survived", where, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "mutants"), metavar="DIR",
                        help="where the copies of the tree are (default: build/mutants)")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1), metavar="N",
                        help="copies that work at the same time (default: one per core, up to 4)")
    parser.add_argument("--list", action="store_true", help="print the table, and check it")
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="a number, test, or file")
    options = parser.parse_args()
    faults = chosen(all_faults(), options.faults)

    if options.list:
        missing = 0
        for fault in faults:
            changed, where = fault.where(ROOT)
            missing += changed is None
            print(f"#{fault.number:<4} {'NOT FOUND ' if changed is None else ''}{where}  {fault}  "
                  f"({fault.test}{', survives' if fault.survives else ''})")
        print(f"{len(faults)} faults; the places of {missing} are not found once")
        return 1 if missing else 0

    by_test = {}
    for fault in faults:
        by_test.setdefault(fault.test, []).append(fault)
    groups = queue.Queue()
    for group in sorted(by_test.items(), key=lambda item: -len(item[1])):  # so that none is left alone
        groups.put(group)
    jobs = max(1, min(options.jobs, len(by_test)))
    report = Report(len(faults))
    problems = []

    def one_worker(number):
        try:
            work(Copy(os.path.join(os.path.abspath(options.build), str(number))), groups, report)
        except (RuntimeError, OSError) as problem:
            problems.append(problem)

    threads = [threading.Thread(target=one_worker, args=(number,)) for number in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for problem in problems:
        print(f"mutants.py: {problem}", file=sys.stderr)
    return 1 if problems else report.summary()


if __name__ == "__main__":
    sys.exit(main())
