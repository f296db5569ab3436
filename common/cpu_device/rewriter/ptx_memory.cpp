// PTX instructions that access memory: moves, loads and stores, atomics, asynchronous copies and their barriers.
#include <algorithm>
#include <map>

#include "ptx_translator.h"

namespace cpu_device::ptx {

// mov.b64 d, {a, b};  mov.b64 {a, b}, d;  mov.u32 d, a
std::string Translator::move(const Instruction& it) {
  if (it.name != "mov" || it.type.empty()) return {};
  expect(it, 2, 2);
  const std::string &to = it.operands[0], &from = it.operands[1];
  const auto list = [](const std::string& text) {
    return text[0] == '{' ? split(std::string_view(text).substr(1, text.size() - 2), ',') : Words();
  };
  const Words parts = list(from), targets = list(to);
  if (parts.empty() && targets.empty()) return put(to, it.type, arg(it, 1));
  if (!parts.empty() && !targets.empty()) return {};
  const size_t count = std::max(parts.size(), targets.size());
  const int part_bits = 8 * bytes_of(it.type) / static_cast<int>(count);
  if (part_bits != 8 && part_bits != 16 && part_bits != 32) return {};
  const std::string part = "b" + std::to_string(part_bits);
  if (!parts.empty()) {
    std::string value;
    for (size_t i = 0; i < count; ++i)
      value +=
          (i > 0 ? " | " : "") + ("static_cast<" + kPtx + it.type + ">(" + get(parts[i], part) +
                                  ") << " + std::to_string(i * part_bits));
    return put(to, it.type, "static_cast<" + kPtx + it.type + ">(" + value + ")");
  }
  std::string text = "{ const " + kPtx + "u64 ptx_whole = " + arg(it, 1) + "; ";
  for (size_t i = 0; i < count; ++i)
    text +=
        put(targets[i], part,
            "static_cast<" + kPtx + part + ">(ptx_whole >> " + std::to_string(i * part_bits) + ")");
  return text + "} ";
}

// The accesses are in the program's own line, where a checked run sees them.
std::string Translator::load_store(const Instruction& it) {
  const bool is_load = it.name == "ld" || it.name == "ldu";
  if (it.name == "prefetch" || it.name == "prefetchu") return "static_cast<void>(0); ";
  if ((!is_load && it.name != "st") || it.type.empty() || it.has("param")) return {};
  for (const std::string& modifier : it.modifiers)
    if (!is_among(modifier, {"global",  "shared",  "shared::cta", "local", "const", "volatile",
                             "relaxed", "acquire", "release",     "weak",  "cta",   "gpu",
                             "sys",     "ca",      "cg",          "cs",    "lu",    "cv",
                             "nc",      "wb",      "wt",          "v2",    "v4",    it.type}) &&
        modifier.compare(0, 4, "L1::") != 0 && modifier.compare(0, 4, "L2::") != 0)
      return {};
  expect(it, 2, 2);
  const std::string &where = it.operands[is_load ? 1 : 0], &what = it.operands[is_load ? 0 : 1];
  const bool is_volatile = it.has("volatile") || it.has("relaxed") || it.has("acquire") ||
                           it.has("release") || it.has("cv") || it.has("wt");
  const std::string fence = "::cpu_device::fence(" + std::to_string(scope(it)) + "); ";
  const Words values =
      what[0] == '{' ? split(std::string_view(what).substr(1, what.size() - 2), ',') : Words{what};
  const size_t expected = it.has("v4") ? 4 : it.has("v2") ? 2 : 1;
  if (values.size() != expected) return {};
  std::string text = "{ const " + kPtx +
                     "u64 ptx_at = " + address(where, it.has("shared") || it.has("shared::cta")) +
                     "; ";
  if (it.has("release")) text += fence;
  if (is_load && is_volatile) text += "::cpu_device::polls(ptx_at); ";
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string element = std::string("*reinterpret_cast<") + (is_load ? "const " : "") +
                                (is_volatile ? "volatile " : "") + kPtx + it.type + "*>(ptx_at + " +
                                std::to_string(i * bytes_of(it.type)) + ")";
    text += is_load ? put(values[i], it.type, element)
                    : element + " = " + get(values[i], it.type) + "; ";
  }
  if (it.has("acquire")) text += fence;
  return text + "} ";
}

std::string Translator::atomic(const Instruction& it) {
  const bool is_red = it.name == "red";
  if ((!is_red && it.name != "atom") || it.type.empty()) return {};
  static const std::map<std::string, std::string> kNames = {
      {"add", "Add"}, {"min", "Min"},   {"max", "Max"}, {"and", "And"}, {"or", "Or"},
      {"xor", "Xor"}, {"exch", "Exch"}, {"cas", "CAS"}, {"inc", "Inc"}, {"dec", "Dec"}};
  static const std::map<std::string, std::string> kTypes = {
      {"u32", "unsigned int"}, {"b32", "unsigned int"},       {"s32", "int"},
      {"f32", "float"},        {"u64", "unsigned long long"}, {"b64", "unsigned long long"},
      {"f64", "double"}};
  const auto type = kTypes.find(it.type == "s64" && it.has("add") ? "u64" : it.type);
  std::string operation;
  for (const std::string& modifier : it.modifiers) {
    const auto found = kNames.find(modifier);
    if (found != kNames.end()) operation = found->second;
  }
  std::string pointer_type = type == kTypes.end() ? "" : type->second;
  if (it.type == "s64" && (it.has("min") || it.has("max"))) pointer_type = "long long";
  if (operation.empty() || pointer_type.empty() || it.has("v2") || it.has("v4")) return {};
  const size_t first = is_red ? 0 : 1, count = operation == "CAS" ? 2 : 1;
  expect(it, first + 1 + count, first + 1 + count);
  const std::string suffix = it.has("cta") ? "_block(" : it.has("sys") ? "_system(" : "(";
  std::string call = "::atomic" + operation + suffix + "reinterpret_cast<" + pointer_type + "*>(" +
                     address(it.operands[first], it.has("shared") || it.has("shared::cta")) + ")";
  for (size_t i = 1; i <= count; ++i)
    call += ", static_cast<" + pointer_type + ">(" + arg(it, first + i) + ")";
  call += ")";
  const std::string fence = "::cpu_device::fence(" + std::to_string(scope(it)) + "); ";
  std::string text = it.has("release") || it.has("acq_rel") ? fence : "";
  text += is_red
              ? call + "; "
              : put(it.operands[0], it.type, "static_cast<" + kPtx + it.type + ">(" + call + ")");
  return text + (it.has("acquire") || it.has("acq_rel") ? fence : "");
}

// Copies at once; a checked run notes which threads have waited for the copy.
std::string Translator::copy_async(const Instruction& it) {
  if (it.name != "cp" || !it.has("async") || it.has("bulk")) return {};
  const std::string commit = "::cpu_device::async_commit(); ";
  const std::string wait = "::cpu_device::async_wait_prior(";
  if (it.has("mbarrier")) {  // an arrival when the thread's copies are done, which they are
    expect(it, 1, 1);
    return commit + wait + "0); static_cast<void>(" + kPtx + "mbarrier_change(" + address(it.operands[0], true) +
           (it.has("noinc") ? ", 1, 0, 0)); " : ", 0, 0, 0)); ");
  }
  if (it.has("commit_group")) return commit;
  if (it.has("wait_all")) return commit + wait + "0); ";
  if (it.has("wait_group")) {
    expect(it, 1, 1);
    return wait + get(it.operands[0], "u32") + "); ";
  }
  expect(it, 3, 4);
  const std::string size = get(it.operands[2], "u32");
  return kPtx + "copy_async(" + address(it.operands[0], true) + ", " + address(it.operands[1], false) +
         ", " + size + ", " + (it.operands.size() > 3 ? get(it.operands[3], "u32") : size) +
         ", ::cpu_device::Site::here()); ";
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], size, [mbarrier], and the way back.
std::string Translator::copy_bulk(const Instruction& it) {
  if (it.name != "cp" || !it.has("async") || !it.has("bulk") || it.has("tensor") || it.has("reduce")) return {};
  if (it.has("commit_group") || it.has("wait_group")) return "static_cast<void>(0); ";
  if (it.has("multicast::cluster") || it.has("prefetch")) return {};
  const std::string &first = it.modifiers[2], &second = it.modifiers[3];
  if (first.compare(0, 6, "shared") == 0 && second == "global") {
    expect(it, 4, 5);
    return kPtx + "copy_bulk(" + address(it.operands[0], true) + ", " + address(it.operands[1], false) + ", " +
           get(it.operands[2], "u32") + ", " + address(it.operands[3], true) + ", ::cpu_device::Site::here()); ";
  }
  if (first != "global" || second.compare(0, 6, "shared") != 0) return {};
  expect(it, 3, 4);
  return kPtx + "copy_out(" + address(it.operands[0], false) + ", " + address(it.operands[1], true) + ", " +
         get(it.operands[2], "u32") + "); ";
}

// mbarrier.arrive.expect_tx.shared::cta.b64 state, [at], bytes and its like.
std::string Translator::mbarrier(const Instruction& it) {
  if (it.name != "mbarrier" || it.modifiers.empty()) return {};
  const std::string& what = it.modifiers[0];
  const auto count = [&](size_t i, const char* otherwise) {
    return it.operands.size() > i ? get(it.operands[i], "u32") : std::string(otherwise);
  };
  const auto change = [&](const std::string& at, const std::string& arrivals, const std::string& bytes,
                          const std::string& leave) {
    return kPtx + "mbarrier_change(" + address(at, true) + ", " + arrivals + ", " + bytes + ", " + leave + ")";
  };
  if (what == "init") {
    expect(it, 2, 2);
    return kPtx + "mbarrier_init(" + address(it.operands[0], true) + ", " + get(it.operands[1], "u32") + "); ";
  }
  if (what == "inval") return "static_cast<void>(0); ";
  if (what == "expect_tx" || what == "complete_tx") {
    expect(it, 2, 2);
    const std::string bytes = "static_cast<" + kPtx + "s64>(" + get(it.operands[1], "u32") + ")";
    return "static_cast<void>(" + change(it.operands[0], "0", (what == "expect_tx" ? "" : "-") + bytes, "0") + "); ";
  }
  if (what == "arrive" || what == "arrive_drop") {
    if (it.operands.empty()) return {};
    const size_t at = it.operands[0][0] == '[' ? 0 : 1;  // the state may be left out
    expect(it, at + 1, at + 2);
    const bool expects = it.has("expect_tx");
    const std::string arrivals = expects ? "1" : count(at + 1, "1");
    const std::string bytes = expects ? "static_cast<" + kPtx + "s64>(" + count(at + 1, "0") + ")" : "0";
    const std::string call = change(it.operands[at], arrivals, bytes, what == "arrive_drop" ? arrivals : "0");
    return at == 1 ? put(it.operands[0], "b64", call) : "static_cast<void>(" + call + "); ";
  }
  if (what == "test_wait" || what == "try_wait") {
    expect(it, 3, 4);
    const bool parity = it.has("parity");
    return put(it.operands[0], "pred",
               kPtx + "mbarrier_passed(" + address(it.operands[1], true) + ", " +
                   get(it.operands[2], parity ? "u32" : "u64") + (parity ? ", true" : ", false") +
                   ", ::cpu_device::Site::here())");
  }
  if (what == "pending_count") {
    expect(it, 2, 2);
    return put(it.operands[0], "u32", "static_cast<" + kPtx + "u32>(" + get(it.operands[1], "u64") + " & " + kPtx +
                                          "kArrivals)");
  }
  return {};
}

}  // namespace cpu_device::ptx
