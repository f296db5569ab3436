// Where the variables of a kernel live when its threads run as a loop, and how they are declared there.
#include <algorithm>

#include "loop_writer.h"

namespace cpu_device {
namespace {

// What the arrays of a block by elements may take of the worker's memory.
constexpr const char* kMostElementBytes = "4194304";

}  // namespace

// ---- where variables live ----

// `whole`: a statement that is taken as it is, with what it declares.
void LoopWriter::note_uses(uint32_t begin, uint32_t end, int number, int region, const Statement* whole) {
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t v = code_.variable_at(i);
    if (v == kNone || !plan_.is_planned(v) || plan_.is_constant(v) || plan_.is_counter(v)) continue;
    if (plan_.is_of_stride(v) || (whole != nullptr && plan_.is_declared_in(v, *whole))) continue;
    if (!code_.variables()[v].is_shared) uses_[v].push_back({number, region});
  }
}

void LoopWriter::find_uses(const std::vector<Node>& nodes) {
  for (const Node& node : nodes) {
    for (const Piece& piece : node.pieces) {
      if (piece.variable == kNone) {
        note_uses(piece.statement->begin, piece.statement->end, node.number, node.region, piece.statement);
      } else {
        const Variable& v = code_.variables()[piece.variable];
        note_uses(v.name, v.name + 1, node.number, node.region);
        if (v.init_begin != kNone) note_uses(v.init_begin, v.init_end, node.number, node.region);
        note_uses(v.begin, v.end, node.number, node.region);
      }
    }
    if (node.kind == Node::kGuard || node.kind == Node::kAsk)
      note_uses(node.statement->condition_begin, node.statement->condition_end, node.number, node.region);
    find_uses(node.parts);
    find_uses(node.otherwise);
  }
}

void LoopWriter::find_homes() {
  for (const auto& [v, uses] : uses_) {
    Home home = Home::kLoop;
    for (const Use& use : uses) {
      if (use.number != uses[0].number) home = std::max(home, Home::kChunk);
      if (use.region != uses[0].region) home = Home::kBlock;
    }
    const Variable& variable = code_.variables()[v];
    // Somebody may have its address for as long as it lives. A reference has none of its own.
    if (variable.escapes && !variable.is_reference) {
      home = std::max(home, Home::kChunk);
      for (uint32_t i = variable.known_from; i < variable.known_to; ++i)
        if (tokens_.is(i, "__syncthreads")) home = Home::kBlock;
    }
    homes_[v] = home;
    if (variable.is_reference && home != Home::kLoop && problem_.empty())
      problem_ = "a reference that several loops would share, line " +
                 std::to_string(tokens_.locate(tokens_[variable.name].begin).line);
    if (home != Home::kLoop && has_only_elements(v)) by_elements_.insert(v);
  }
}

// Whether an array is only used by its elements, and these as values or to assign to them: nobody sees where they lie.
bool LoopWriter::has_only_elements(uint32_t v) const {
  const Variable& variable = code_.variables()[v];
  if (!variable.is_array || variable.is_pointer || variable.is_reference || variable.escapes) return false;
  const int dimensions = code_.dimensions(v);
  for (uint32_t i = variable.known_from; i < variable.known_to; ++i) {
    if (i == variable.name || code_.variable_at(i) != v) continue;
    uint32_t behind = i + 1;
    int subscripts = 0;
    for (; tokens_.is(behind, '[') && subscripts < dimensions; behind = tokens_[behind].match + 1) ++subscripts;
    if (subscripts < dimensions || !is_element_by_value(i, behind, variable.known_from)) return false;
  }
  return true;
}

// Tokens begin to end are an element of an array. Its address gets out by `&`, and may do so by a cast to a reference,
// a function of the program or a member function.
bool LoopWriter::is_element_by_value(uint32_t begin, uint32_t end, uint32_t limit) const {
  if (tokens_.is(begin - 1, '&') && !code_.is_binary(begin - 1)) return false;
  if (tokens_.is(end, '.') && tokens_.is_identifier(end + 1) && tokens_.is(end + 2, '(')) return false;
  for (uint32_t t = begin; t-- > limit && !tokens_.is(t, ';');) {
    const char c = tokens_[t].first;
    if (c == ')' || c == ']' || c == '}') {
      t = tokens_[t].match;
      continue;
    }
    if (c == '{' && (tokens_.is(t - 1, ')') || tokens_.is(t - 1, ';') || tokens_.is(t - 1, '{') || tokens_.is(t - 1, '}') ||
                     tokens_.is(t - 1, "else")))
      return true;  // a statement begins here
    if (c != '(') continue;
    const uint32_t before = t - 1;
    if (tokens_.is(before, '&') && !code_.is_binary(before)) return false;
    if (tokens_.is(before, '>')) return false;  // a cast, or a template: not told apart
    if (!tokens_.is_identifier(before) || is_keyword_before_parenthesis(tokens_.spelling(before))) continue;
    if (!NeverWaits::is_pure(tokens_.spelling(before))) return false;
  }
  return true;
}

// ---- declarations ----

// What is const in the declaration is not here.
std::string LoopWriter::type_of_array(uint32_t v) const {
  const Variable& variable = code_.variables()[v];
  std::string text;
  for (uint32_t t = variable.type_begin; t < variable.type_end; ++t) {
    const bool of_pointee = variable.is_pointer && tokens_.is(t, "const");
    if (!tokens_.is(t, "const") || of_pointee) text += std::string(tokens_.spelling(t)) + " ";
  }
  return text;
}

// `int` constants of the kernel that the array's dimensions are made of, in the order of their declarations.
std::set<uint32_t> LoopWriter::constants_in(uint32_t begin, uint32_t end) const {
  std::set<uint32_t> found;
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t v = code_.variable_at(i);
    if (v == kNone || code_.variables()[v].init_begin == kNone || !found.insert(v).second) continue;
    found.merge(constants_in(code_.variables()[v].init_begin, code_.variables()[v].init_end));
  }
  return found;
}

// Defines the type `name`: of array v and of as many of them as `lanes` says, by elements or one after the other. It may
// stand before the constants that it is made of.
void LoopWriter::define_type(uint32_t v, const std::string& name, const std::string& lanes) {
  const Variable& variable = code_.variables()[v];
  std::string type = type_of_array(v);
  uint32_t last_star = variable.begin;
  for (uint32_t t = variable.begin; t < variable.name; ++t)
    if (tokens_.is(t, '*')) last_star = t;
  for (uint32_t t = variable.begin; t < variable.name; ++t)
    if (t < last_star || tokens_.is(t, '*')) type += tokens_.spelling(t);
  const std::string dimensions = code_.text(variable.name + 1, variable.end);
  const std::string all = is_by_elements(v) ? dimensions + lanes : lanes + dimensions;
  const std::set<uint32_t> constants = constants_in(variable.name + 1, variable.end);
  if (constants.empty()) return write(" typedef " + type + " " + name + all + ";");
  write(" struct " + name + "_with_constants { enum {");
  for (const uint32_t c : constants) {
    const Variable& constant = code_.variables()[c];
    write(" " + name_of(c) + " = (" + code_.text(constant.init_begin, constant.init_end) + "),");
  }
  write(" }; typedef " + type + " type" + all + "; }; typedef typename " + name + "_with_constants::type " + name + ";");
}

// `float array[16];`, `float array[16][4];`, and by elements `float array[4][16];`. An array of arrays may be too large for
// the worker's stack.
void LoopWriter::array(uint32_t v, const std::string& count) {
  const Variable& variable = code_.variables()[v];
  const std::string number = std::to_string(v), type = "cpu_device_type_" + number;
  define_type(v, type, "[" + count + "]");
  if (!variable.is_array || homes_.at(v) == Home::kBlock) return write(" " + type + " " + array_of(v) + ";");
  write(" ::cpu_device::ArrayInPlace<" + type + "> cpu_device_in_place_" + number + "; [[maybe_unused]] ::cpu_device::ArrayOnHeap<" +
        type + "> cpu_device_on_heap_" + number + "; auto& " + array_of(v) + " = ::cpu_device::array_of_lanes<" + type +
        ">(cpu_device_in_place_" + number + ", cpu_device_on_heap_" + number + ");");
}

// Those that live as long as the block, for all its threads, 16 neighbors after the other.
void LoopWriter::by_elements_of_block() {
  std::string sizes, simple;
  std::vector<uint32_t> variables;
  for (const uint32_t v : by_elements_)
    if (homes_.at(v) == Home::kBlock) variables.push_back(v);
  for (const uint32_t v : variables) {
    const std::string type = "cpu_device_type_" + std::to_string(v);
    define_type(v, type, "[::cpu_device::kLanes]");
    sizes += (sizes.empty() ? "sizeof(" : " + sizeof(") + type + ")";
    simple += (simple.empty() ? "::cpu_device::is_simple<" : " && ::cpu_device::is_simple<") + type + ">";
  }
  if (variables.empty()) return;
  write(" ::cpu_device::BlockMemory cpu_device_memory(cpu_device_place.block_size, " + sizes + "); if (!(" + simple +
        ") || cpu_device_memory.bytes() > " + kMostElementBytes + ") return false; cpu_device_memory.allocate();");
  for (const uint32_t v : variables)
    write(" auto* const " + array_of(v) + " = cpu_device_memory.take<cpu_device_type_" + std::to_string(v) + ">();");
}

void LoopWriter::initialize(const Variable& v) {
  if (v.init == 0) return;
  if (v.init == '=') {
    write(" =");
    copy_in_lane(v.init_begin, v.init_end);
  } else {
    write(v.init == '(' ? " (" : " {");
    copy_in_lane(v.init_begin, v.init_end);
    write(v.init == '(' ? ")" : "}");
  }
}

void LoopWriter::shared(const Statement& s) {
  bool is_extern = false;
  for (uint32_t t = s.begin; t < s.end; ++t) is_extern |= tokens_.is(t, "extern");
  for (const uint32_t number : s.variables) {
    const Variable& v = code_.variables()[number];
    const std::string type = code_.text(v.type_begin, v.type_end);
    if (is_extern) {
      write(" " + type + " (&" + name_of(number) + ")" + code_.text(v.name + 1, v.end) + " = reinterpret_cast<" + type +
            " (&)" + code_.text(v.name + 1, v.end) + ">(*::cpu_device::dynamic_shared());");
    } else if (has_only_elements(number)) {
      write(" static thread_local " + type + " " + code_.text(v.begin, v.end) + ";");
    } else {
      // Somebody may use its address. Where only elements are used, they are faster without this.
      const std::string own = "cpu_device_shared_" + std::to_string(number);
      write(" static thread_local " + type + " " + code_.text(v.begin, v.name) + own + code_.text(v.name + 1, v.end) + ";" +
            reference_by_unknown_address(name_of(number), own));
    }
  }
}

// Of the array that holds it for all lanes.
std::string LoopWriter::element_of(uint32_t v) const {
  if (kept_.count(v) != 0) return copies_of(v) + "[cpu_device_lane]";
  return array_of(v) + "[" + (homes_.at(v) == Home::kBlock ? "cpu_device_at + " : "") + "cpu_device_lane]";
}

// Whether nothing but the end of these nodes leads out of them.
bool LoopWriter::always_ends(const std::vector<Node>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [](const Node& node) {
    return node.kind != Node::kGuard && node.kind != Node::kAsk && node.kind != Node::kStride && !node.returns &&
           !(node.kind == Node::kUniform && has_return(*node.statement)) && always_ends(node.parts) && always_ends(node.otherwise);
  });
}

// Before a loop: copies of the block's variables that the lanes use in it. The compiler keeps them in registers, since
// nobody else knows them. Nothing if the loop may be left in other ways.
std::vector<uint32_t> LoopWriter::take_copies(const Node& loop) {
  std::vector<uint32_t> kept;
  if (!always_ends({loop})) return kept;
  std::set<uint32_t> used, declared;
  collect({loop}, used, declared);
  for (const uint32_t v : used) {
    const auto home = homes_.find(v);
    const Variable& variable = code_.variables()[v];
    if (home == homes_.end() || home->second != Home::kBlock || declared.count(v) != 0) continue;
    if (!variable.is_array && !variable.is_reference && !variable.escapes) kept.push_back(v);
  }
  if (!kept.empty()) write(" {");
  for (const uint32_t v : kept) {
    write(" ::cpu_device::Copies<decltype(" + array_of(v) + "), cpu_device_count> " + copies_of(v) + "; ::cpu_device::take_copies(" +
          copies_of(v) + ", " + array_of(v) + " + cpu_device_at);");
    kept_.insert(v);
  }
  return kept;
}

// Behind the loop. A function may have changed them by reference.
void LoopWriter::put_back(const std::vector<uint32_t>& kept) {
  for (const uint32_t v : kept) {
    kept_.erase(v);
    const Variable& variable = code_.variables()[v];
    if (variable.is_pointer || !tokens_.is(variable.type_begin, "const"))
      write(" ::cpu_device::put_back(" + copies_of(v) + ", " + array_of(v) + " + cpu_device_at);");
  }
  if (!kept.empty()) write(" }");
}

// What the name means for one lane: the variable's element in that array, or all elements of an array.
std::string LoopWriter::name_for_lane(uint32_t v) const {
  const std::string begin = " [[maybe_unused]] auto";
  if (!is_by_elements(v)) return begin + "& " + name_of(v) + " = " + element_of(v) + ";";
  const bool of_block = homes_.at(v) == Home::kBlock;
  return begin + " " + name_of(v) + " = ::cpu_device::elements_of_lane<" + std::to_string(code_.dimensions(v)) + ">(" + array_of(v) +
         (of_block ? "[cpu_device_at / ::cpu_device::kLanes], cpu_device_count == 1 ? static_cast<int>(cpu_device_at % "
                     "::cpu_device::kLanes) : cpu_device_lane);"
                   : ", cpu_device_lane);");
}

// A variable that is the same for all lanes, or the first lane's and how to get the others'.
void LoopWriter::constant(uint32_t v) {
  const Variable& variable = code_.variables()[v];
  const bool is_const = tokens_.is(variable.type_begin, "const") || tokens_.is(variable.type_begin, "constexpr");
  write(is_const || variable.is_pointer ? " " : " const ");
  copy(variable.type_begin, variable.type_end);
  copy(variable.begin, variable.end);
  initialize(variable);
  write(";");
  if (!plan_.is_affine(v)) return;
  write(" if (::cpu_device::crosses<cpu_device_count>(" + name_of(v) + ")) return ::cpu_device::Row::kRefused; const auto " + first_of(v) + " = " +
        name_of(v) + ";");
}

}  // namespace cpu_device
