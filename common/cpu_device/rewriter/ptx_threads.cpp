// PTX instructions that several threads execute together (warp, block, cluster, tensor cores), and branches.
#include "ptx_translator.h"

namespace cpu_device::ptx {

std::string Translator::warp(const Instruction& it) {
  const std::string all = "0xffffffffu";
  const bool sync = it.has("sync");
  const auto mask = [&](size_t i) { return sync ? get(it.operands[i], "u32") : all; };
  if (it.name == "activemask") {
    expect(it, 1, 1);
    return put(it.operands[0], "u32", "::__activemask()");
  }
  if (it.modifiers.size() < 2) return {};
  if (it.name == "shfl") {
    expect(it, sync ? 5 : 4, sync ? 5 : 4);
    const std::string how = it.modifiers[sync ? 1 : 0];
    if (!is_among(how, {"idx", "up", "down", "bfly"}) || it.type.empty()) return {};
    const Words targets = split(it.operands[0], '|');
    std::string text = "{ bool ptx_inside; ";
    text += put(targets[0], it.type,
                kPtx + "shuffle_lane<" + kPtx + it.type + ">(" + arg(it, 1) + ", " +
                    get(it.operands[2], "u32") + ", " + get(it.operands[3], "u32") + ", " +
                    mask(4) + ", '" + how[0] + "', ptx_inside, ::cpu_device::Site::here())");
    if (targets.size() > 1) text += put(targets[1], "pred", "ptx_inside");
    return text + "} ";
  }
  if (it.name == "vote") {
    expect(it, sync ? 3 : 2, sync ? 3 : 2);
    const std::string how = it.modifiers[sync ? 1 : 0];
    if (!is_among(how, {"all", "any", "uni", "ballot"})) return {};
    return put(it.operands[0], how == "ballot" ? "u32" : "pred",
               "::__" + how + "_sync(" + mask(2) + ", " + get(it.operands[1], "pred") + ")");
  }
  if (it.name == "match" && sync && !it.type.empty()) {
    expect(it, 3, 3);
    if (!it.has("any")) return {};
    return put(it.operands[0], "u32", "::__match_any_sync(" + mask(2) + ", " + arg(it, 1) + ")");
  }
  if (it.name == "redux" && sync && is_among(it.type, {"u32", "s32", "b32"})) {
    expect(it, 3, 3);
    return put(it.operands[0], it.type,
               "::__reduce_" + it.modifiers[1] + "_sync(" + mask(2) + ", " + arg(it, 1) + ")");
  }
  if (it.name == "bar" && it.has("warp")) {
    expect(it, 1, 1);
    return "::__syncwarp(" + get(it.operands[0], "u32") + "); ";
  }
  return {};
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {d0, d1, d2, d3}, [a]
std::string Translator::load_matrices(const Instruction& it) {
  if (it.name != "ldmatrix" || !it.has("m8n8") || it.type != "b16") return {};
  expect(it, 2, 2);
  const Words into = elements_of(it.operands[0]);
  const size_t count = it.has("x4") ? 4 : it.has("x2") ? 2 : 1;
  if (into.size() != count) return {};
  std::string text = "{ " + kPtx + "u32 ptx_loaded[4]; " + kPtx + "load_matrices<" + std::to_string(count) + ">(" +
                     address(it.operands[1], true) + ", " + (it.has("trans") ? "true" : "false") +
                     ", ptx_loaded, ::cpu_device::Site::here()); ";
  for (size_t i = 0; i < count; ++i) text += put(into[i], "u32", "ptx_loaded[" + std::to_string(i) + "]");
  return text + "} ";
}

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d...}, {a...}, {b...}, {c...}
std::string Translator::multiply_matrices(const Instruction& it) {
  if (it.name != "mma" || it.modifiers.size() != 9) return {};
  const Words& m = it.modifiers;
  const bool narrow = m[5] == "f16" && m[8] == "f16";  // the sum
  if (!narrow && (m[5] != "f32" || m[8] != "f32")) return {};
  const std::string& kind = m[6];
  const bool deep = m[2] == (kind == "tf32" ? "m16n8k8" : "m16n8k16");
  if (!deep && m[2] != (kind == "tf32" ? "m16n8k4" : "m16n8k8")) return {};
  if (!is_among(kind, {"f16", "bf16", "tf32"}) || m[3] != "row" || m[4] != "col" || m[7] != kind) return {};
  if (narrow && kind != "f16") return {};
  expect(it, 4, 4);
  Words parts[4];
  const size_t sum_size = narrow ? 2 : 4;
  const size_t sizes[] = {sum_size, deep ? 4u : 2u, deep ? 2u : 1u, sum_size};
  const std::string sum_type = narrow ? "u32" : "f32";
  for (size_t i = 0; i < 4; ++i)
    if ((parts[i] = elements_of(it.operands[i])).size() != sizes[i]) return {};
  const auto list = [&](const Words& of, const std::string& type) {
    std::string values;
    for (const std::string& one : of) values += (values.empty() ? "" : ", ") + get(one, type);
    return "{" + values + "}";
  };
  std::string text = "{ const " + kPtx + "u32 ptx_a[] = " + list(parts[1], "u32") + ", ptx_b[] = " +
                     list(parts[2], "u32") + "; " + kPtx + sum_type + " ptx_sum[] = " + list(parts[3], sum_type) +
                     "; " + kPtx + "multiply_matrices" + (narrow ? "_half<" : "<") + std::to_string(sizes[2]) +
                     (narrow ? "" : ", " + kPtx + kind + "_pair") +
                     ">(ptx_a, ptx_b, ptx_sum, ::cpu_device::Site::here()); ";
  for (size_t i = 0; i < sum_size; ++i) text += put(parts[0][i], sum_type, "ptx_sum[" + std::to_string(i) + "]");
  return text + "} ";
}

std::string Translator::block(const Instruction& it) {
  if (it.name == "bar" || it.name == "barrier") {
    if (it.has("cluster")) return {};
    const bool is_reduction = it.has("red");
    const size_t number = is_reduction ? 1 : 0;
    if (!is_reduction && !it.has("sync") && !it.has("arrive")) return {};
    expect(it, number + 1, is_reduction ? 3 : 2);
    if (!is_reduction) {
      const bool waits = it.has("sync");
      if (waits && it.operands[0] == "0" && it.operands.size() == 1) return "::__syncthreads(); ";
      return "::cpu_device::part_barrier(" + get(it.operands[0], "u32") + ", " +
             (it.operands.size() > 1 ? get(it.operands[1], "u32") : "0") + (waits ? ", true" : ", false") +
             ", ::cpu_device::Site::here()); ";
    }
    if (it.operands[number] != "0" || it.operands.size() != 3u)
      throw Unsupported{"'" + it.opcode + "' of a barrier other than 0, or of part of the block,"};
    const std::string how = it.has("popc") ? "count" : it.has("and") ? "and" : "or";
    return put(it.operands[0], how == "count" ? "u32" : "pred",
               "::__syncthreads_" + how + "(" + get(it.operands[2], "pred") + ")");
  }
  if (it.name == "membar" || it.name == "fence")
    return "::cpu_device::fence(" + std::to_string(scope(it)) + "); ";
  // Of no effect here: they help a GPU to share registers, and to begin the next grid early.
  if (it.name == "setmaxnreg" || it.name == "griddepcontrol") return "static_cast<void>(0); ";
  if (it.name == "nanosleep") {
    expect(it, 1, 1);
    return "::__nanosleep(" + get(it.operands[0], "u32") + "); ";
  }
  if (it.name == "bra") {
    expect(it, 1, 1);
    const std::string target = label(it.operands[0]);
    if (labels_.count(target) == 0)
      throw Unsupported{"a branch to '" + it.operands[0] + "', which is not a label of this asm,"};
    return "goto " + target + "; ";
  }
  if (it.name == "trap" || it.name == "brkpt") return "::__trap(); ";
  if (it.name == "exit" || it.name == "ret") {
    if (!in_kernel_) throw Unsupported{"'" + it.name + "' outside a kernel's own body"};
    return "return; ";
  }
  if (it.name == "isspacep" && it.modifiers.size() == 1) {
    expect(it, 2, 2);
    const std::string& space = it.modifiers[0];
    const std::string function = space == "shared"   ? "::__isShared("
                                 : space == "local"  ? "::__isLocal("
                                 : space == "global" ? "::__isGlobal("
                                                     : "";
    if (function.empty()) return {};
    return put(it.operands[0], "pred",
               function + "reinterpret_cast<const void*>(" + get(it.operands[1], "u64") + "))");
  }
  return {};
}

std::string Translator::cluster(const Instruction& it) {
  if (it.name == "elect" && it.has("sync")) {
    expect(it, 2, 2);
    const Words targets = split(it.operands[0], '|');
    if (targets.size() != 2) return {};
    return "{ " + kPtx + "u32 ptx_leader = 0; " +
           put(targets[1], "pred",
               kPtx + "elected(" + get(it.operands[1], "u32") + ", ptx_leader, ::cpu_device::Site::here())") +
           put(targets[0], "u32", "ptx_leader") + "} ";
  }
  if (it.name != "barrier" || !it.has("cluster")) return {};
  if (it.has("arrive")) return "::cpu_device::cluster_arrive(); ";
  if (it.has("wait")) return "::cpu_device::cluster_wait(::cpu_device::Site::here()); ";
  return {};
}

}  // namespace cpu_device::ptx
