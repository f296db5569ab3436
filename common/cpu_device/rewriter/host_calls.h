// Which functions of a program are for the host alone: a kernel that calls one does not compile for a GPU.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tokens.h"

namespace cpu_device {

// `__device__` is nothing in preprocessed text. But a declaration that stands in its file as it does there has none:
// neither spelled out nor within a macro. Of what is not certain to be for the host alone, nothing is said.
class HostFunctions {
 public:
  explicit HostFunctions(const Tokens& tokens);

  // The name's token in a declaration of the function; kNone if it may be for the device, too, or is unknown.
  uint32_t declaration(std::string_view name);

 private:
  struct File {
    std::string text;  // without comments
    std::unique_ptr<Tokens> tokens;
  };
  bool is_for_host(uint32_t name);
  bool is_in_namespace(uint32_t i) const;
  uint32_t begin_of_declaration(uint32_t name) const;
  bool stands_in_file(uint32_t begin, uint32_t name);
  const Tokens* file(std::string_view quoted);

  const Tokens& tokens_;
  std::string_view own_;  // the CPU device's folder, as line markers write it
  std::map<std::string_view, std::vector<uint32_t>> places_;  // where a name in a namespace has a `(` after it
  std::map<std::string_view, uint32_t> declarations_;         // of names that were asked for
  std::map<std::string_view, File> files_;
};

}  // namespace cpu_device
