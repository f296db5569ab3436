#include "block_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "kernel_code.h"
#include "kernel_plan.h"

namespace cpu_device {
namespace {

constexpr const char* kInline = " __attribute__((always_inline)) ";
// What the arrays of a block may take of its stack.
constexpr const char* kMostArrayBytes = "131072";
// ... and those by elements of other memory.
constexpr const char* kMostElementBytes = "4194304";

// Given for the thread function, where they are of the program's code. Others are off behind line markers with a 3.
constexpr const char* kWarningsOfOptimizer[] = {"aggressive-loop-optimizations", "array-bounds", "maybe-uninitialized", "uninitialized",
                                                "stringop-overflow", "stringop-overread", "null-dereference", "div-by-zero"};

// Writes a plan down as C++.
class Writer {
 public:
  Writer(const Tokens& tokens, const KernelCode& code, KernelPlan& plan, const NeverWaits& never_waits)
      : tokens_(tokens), code_(code), plan_(plan), never_waits_(never_waits) {}
  std::string lambda();

 private:
  struct Use {
    int number, region;
  };
  // Where a variable of a thread lives.
  enum class Home : uint8_t { kLoop, kChunk, kBlock };

  void find_uses(const std::vector<Node>& nodes);
  void note_uses(uint32_t begin, uint32_t end, int number, int region, const Statement* whole = nullptr);
  void find_homes();
  bool has_only_elements(uint32_t v) const;
  bool is_element_by_value(uint32_t begin, uint32_t end, uint32_t limit) const;
  bool is_by_elements(uint32_t v) const { return by_elements_.count(v) != 0; }
  void copy(uint32_t begin, uint32_t end);
  void mark(uint32_t t);
  void copy_token(uint32_t t, bool is_first);
  void copy_in_lane(uint32_t begin, uint32_t end);
  void write(const std::string& text) { text_ += text; }
  std::string name_of(uint32_t v) const { return std::string(tokens_.spelling(code_.variables()[v].name)); }
  std::string array_of(uint32_t v) const { return "cpu_device_array_" + name_of(v) + "_" + std::to_string(v); }
  std::string first_of(uint32_t v) const { return "cpu_device_first_" + name_of(v) + "_" + std::to_string(v); }
  std::string element_of(uint32_t v) const;
  std::string name_for_lane(uint32_t v) const;
  std::string type_of_array(uint32_t v) const;
  void array(uint32_t v, const std::string& count);
  std::set<uint32_t> constants_in(uint32_t begin, uint32_t end) const;
  void define_type(uint32_t v, const std::string& name, const std::string& lanes);
  void by_elements_of_block();
  void initialize(const Variable& v);
  void shared(const Statement& s);
  void block_nodes(const std::vector<Node>& nodes);
  void region(const Node& node);
  void constants_of(const Node& region);
  void collect(const std::vector<Node>& nodes, std::set<uint32_t>& used, std::set<uint32_t>& declared) const;
  void collect_range(uint32_t begin, uint32_t end, std::set<uint32_t>& used) const;
  void constant(uint32_t v);
  void lane_nodes(const std::vector<Node>& nodes);
  void head(const Node& node);
  void lanes(const Node& node);
  void guard(const Node& node);
  void stride(const Node& node);
  void lane_names(const std::set<uint32_t>& used, const std::set<uint32_t>& declared, bool shows_thread);
  bool shows_thread(const Node& node) const;
  void rest_of_stride(const Statement& s);
  void piece(const Piece& piece);

  const Tokens& tokens_;
  const KernelCode& code_;
  KernelPlan& plan_;
  const NeverWaits& never_waits_;
  std::string text_;
  uint32_t line_ = 0;
  std::string_view file_;
  std::map<uint32_t, std::vector<Use>> uses_;  // of variables of a thread, the declaration first
  std::map<uint32_t, Home> homes_;
  std::set<uint32_t> by_elements_;  // arrays of which the lanes' elements are neighbors, so that they can be vectors
  std::vector<std::pair<uint32_t, uint32_t>> subscripts_;  // of the loop that is being written
};

// What follows is of the line of token t.
void Writer::mark(uint32_t t) {
  const Position position = tokens_.locate(tokens_[t].begin);
  line_ = position.line;
  file_ = position.file;
  text_ += "\n# " + std::to_string(line_) + " " + (file_.empty() ? "\"\"" : std::string(file_)) + " 3\n";
}

// Each token at its line: what the compiler and the debugger say of it is said of the user's file. As of a
// system's header: warnings were given for the thread function.
void Writer::copy_token(uint32_t t, bool is_first) {
  const Position position = tokens_.locate(tokens_[t].begin);
  if (position.line != line_ || position.file != file_) {
    mark(t);
  } else if (is_first || !tokens_.adjacent(t - 1)) {
    text_ += ' ';
  }
  text_ += tokens_.spelling(t);
}

void Writer::copy(uint32_t begin, uint32_t end) {
  for (uint32_t t = begin; t < end; ++t) copy_token(t, t == begin);
  text_ += ' ';
}

// A subscript that is a sum with the lane may be one of 32 bits without a sign, which wraps around: the
// compiler would not see neighbors in it. It is computed for the first lane in front of the loop.
void Writer::copy_in_lane(uint32_t begin, uint32_t end) {
  for (uint32_t t = begin; t < end; ++t) {
    if (code_.is_atomic_on_shared(t)) {
      write(" ::cpu_device::own_" + std::string(without_scope(tokens_.spelling(t))));
      continue;
    }
    copy_token(t, t == begin);
    if (!tokens_.is(t, '[') || !plan_.is_sum_with_lane(t + 1, tokens_[t].match)) continue;
    const std::string index = "cpu_device_index_" + std::to_string(subscripts_.size());
    subscripts_.push_back({t + 1, tokens_[t].match});
    write("::cpu_device::subscript(cpu_device_wide, " + index + ", cpu_device_lane, (");
    copy(t + 1, tokens_[t].match);
    write("))");
    t = tokens_[t].match - 1;
  }
  text_ += ' ';
}

// ---- where variables live ----

// `whole`: a statement that is taken as it is, with what it declares.
void Writer::note_uses(uint32_t begin, uint32_t end, int number, int region, const Statement* whole) {
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t v = code_.variable_at(i);
    if (v == kNone || !plan_.is_planned(v) || plan_.is_constant(v) || plan_.is_counter(v)) continue;
    if (plan_.is_of_stride(v) || (whole != nullptr && plan_.is_declared_in(v, *whole))) continue;
    if (!code_.variables()[v].is_shared) uses_[v].push_back({number, region});
  }
}

void Writer::find_uses(const std::vector<Node>& nodes) {
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
    if (node.kind == Node::kGuard)
      note_uses(node.statement->condition_begin, node.statement->condition_end, node.number, node.region);
    find_uses(node.parts);
    find_uses(node.otherwise);
  }
}

void Writer::find_homes() {
  for (const auto& [v, uses] : uses_) {
    Home home = Home::kLoop;
    for (const Use& use : uses) {
      if (use.number != uses[0].number) home = std::max(home, Home::kChunk);
      if (use.region != uses[0].region) home = Home::kBlock;
    }
    const Variable& variable = code_.variables()[v];
    // Somebody may have its address for as long as it lives.
    if (variable.escapes) {
      home = std::max(home, Home::kChunk);
      for (uint32_t i = variable.known_from; i < variable.known_to; ++i)
        if (tokens_.is(i, "__syncthreads")) home = Home::kBlock;
    }
    homes_[v] = home;
    if (home != Home::kLoop && has_only_elements(v)) by_elements_.insert(v);
  }
}

// Whether an array is only used by its elements, and these as values or to assign to them: nobody sees where they lie.
bool Writer::has_only_elements(uint32_t v) const {
  const Variable& variable = code_.variables()[v];
  if (!variable.is_array || variable.is_pointer || variable.is_reference || variable.escapes) return false;
  int dimensions = 0;
  for (uint32_t t = variable.name + 1; tokens_.is(t, '['); t = tokens_[t].match + 1) ++dimensions;
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
bool Writer::is_element_by_value(uint32_t begin, uint32_t end, uint32_t limit) const {
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
std::string Writer::type_of_array(uint32_t v) const {
  const Variable& variable = code_.variables()[v];
  std::string text;
  for (uint32_t t = variable.type_begin; t < variable.type_end; ++t) {
    const bool of_pointee = variable.is_pointer && tokens_.is(t, "const");
    if (!tokens_.is(t, "const") || of_pointee) text += std::string(tokens_.spelling(t)) + " ";
  }
  return text;
}

// `int` constants of the kernel that the array's dimensions are made of, in the order of their declarations.
std::set<uint32_t> Writer::constants_in(uint32_t begin, uint32_t end) const {
  std::set<uint32_t> found;
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t v = code_.variable_at(i);
    if (v == kNone || code_.variables()[v].init_begin == kNone || !found.insert(v).second) continue;
    found.merge(constants_in(code_.variables()[v].init_begin, code_.variables()[v].init_end));
  }
  return found;
}

// Defines the type `name`: of array v and of as many of them as `lanes` says, by elements or one after the other. It may
// stand in front of the constants that it is made of.
void Writer::define_type(uint32_t v, const std::string& name, const std::string& lanes) {
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
void Writer::array(uint32_t v, const std::string& count) {
  const Variable& variable = code_.variables()[v];
  const std::string number = std::to_string(v), type = "cpu_device_type_" + number;
  define_type(v, type, "[" + count + "]");
  if (!variable.is_array || homes_.at(v) == Home::kBlock) return write(" " + type + " " + array_of(v) + ";");
  write(" ::cpu_device::ArrayInPlace<" + type + "> cpu_device_in_place_" + number + "; [[maybe_unused]] ::cpu_device::ArrayOnHeap<" +
        type + "> cpu_device_on_heap_" + number + "; auto& " + array_of(v) + " = ::cpu_device::array_of_lanes<" + type +
        ">(cpu_device_in_place_" + number + ", cpu_device_on_heap_" + number + ");");
}

// Those that live as long as the block, for all its threads, 16 neighbors after the other.
void Writer::by_elements_of_block() {
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

void Writer::initialize(const Variable& v) {
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

void Writer::shared(const Statement& s) {
  bool is_extern = false;
  for (uint32_t t = s.begin; t < s.end; ++t) is_extern |= tokens_.is(t, "extern");
  for (const uint32_t number : s.variables) {
    const Variable& v = code_.variables()[number];
    const std::string type = code_.text(v.type_begin, v.type_end);
    if (is_extern) {
      write(" " + type + " (&" + name_of(number) + ")" + code_.text(v.name + 1, v.end) + " = reinterpret_cast<" + type +
            " (&)" + code_.text(v.name + 1, v.end) + ">(*::cpu_device::dynamic_shared());");
    } else {
      write(" static thread_local " + type + " " + code_.text(v.begin, v.end) + ";");
    }
  }
}

// Of the array that holds it for all lanes.
std::string Writer::element_of(uint32_t v) const {
  return array_of(v) + "[" + (homes_.at(v) == Home::kBlock ? "cpu_device_at + " : "") + "cpu_device_lane]";
}

// What the name means for one lane: the variable's element in that array, or all elements of an array.
std::string Writer::name_for_lane(uint32_t v) const {
  const std::string begin = " [[maybe_unused]] auto";
  if (!is_by_elements(v)) return begin + "& " + name_of(v) + " = " + element_of(v) + ";";
  int dimensions = 0;
  for (uint32_t t = code_.variables()[v].name + 1; tokens_.is(t, '['); t = tokens_[t].match + 1) ++dimensions;
  const bool of_block = homes_.at(v) == Home::kBlock;
  return begin + " " + name_of(v) + " = ::cpu_device::elements_of_lane<" + std::to_string(dimensions) + ">(" + array_of(v) +
         (of_block ? "[cpu_device_at / ::cpu_device::kLanes], cpu_device_count == 1 ? static_cast<int>(cpu_device_at % "
                     "::cpu_device::kLanes) : cpu_device_lane);"
                   : ", cpu_device_lane);");
}

// A variable that is the same for all lanes, or the first lane's and how to get the others'.
void Writer::constant(uint32_t v) {
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

// ---- what happens in a block ----

void Writer::head(const Node& node) {
  const Statement& s = *node.statement;
  if (s.kind == Statement::kFor) {
    write(" for (");
    if (s.first)
      copy(s.first->begin, s.first->end);
    else
      write(";");
    copy(s.condition_begin, s.condition_end);
    write(";");
    copy(s.step_begin, s.step_end);
    write(") {");
    return;
  }
  write(s.kind == Statement::kWhile ? " while (" : " if (");
  copy(s.condition_begin, s.condition_end);
  write(") {");
}

void Writer::block_nodes(const std::vector<Node>& nodes) {
  for (const Node& node : nodes) {
    switch (node.kind) {
      case Node::kShared:
        shared(*node.statement);
        break;
      case Node::kRegion:
        region(node);
        break;
      case Node::kConstant:
        constant(node.variable);
        break;
      case Node::kCounter: {
        const Variable& v = code_.variables()[node.variable];
        copy(v.type_begin, v.type_end);
        copy(v.begin, v.end);
        initialize(v);
        write(";");
        break;
      }
      case Node::kUniform:
        for (uint32_t t = node.statement->begin; t < node.statement->end; ++t) {
          copy_token(t, t == node.statement->begin);
          if (tokens_.is(t, "return")) write(" true");
        }
        break;
      case Node::kScope:
        write(" {");
        block_nodes(node.parts);
        write(" }");
        break;
      default:
        head(node);
        block_nodes(node.parts);
        write(" }");
        if (node.kind == Node::kIf && node.statement->parts.size() > 1) {
          write(" else {");
          block_nodes(node.otherwise);
          write(" }");
        }
    }
  }
}

void Writer::collect_range(uint32_t begin, uint32_t end, std::set<uint32_t>& used) const {
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t v = code_.variable_at(i);
    if (v != kNone) used.insert(v);
  }
}

void Writer::collect(const std::vector<Node>& nodes, std::set<uint32_t>& used, std::set<uint32_t>& declared) const {
  for (const Node& node : nodes) {
    for (const Piece& piece : node.pieces) {
      collect_range(piece.statement->begin, piece.statement->end, used);
      if (piece.variable != kNone) declared.insert(piece.variable);
    }
    if (node.variable != kNone) {
      declared.insert(node.variable);
      const Variable& v = code_.variables()[node.variable];
      if (v.init_begin != kNone) collect_range(v.init_begin, v.init_end, used);
    } else if (node.statement != nullptr && node.kind != Node::kLanes && node.kind != Node::kRegion) {
      const Statement& s = *node.statement;
      if (node.kind == Node::kUniform) collect_range(s.begin, s.end, used);
      collect_range(s.condition_begin, s.condition_end, used);
      collect_range(s.step_begin, s.step_end, used);
      collect_range(node.step_begin, node.step_end, used);
      if (s.first) {
        collect_range(s.first->begin, s.first->end, used);
        for (const uint32_t v : s.first->variables) declared.insert(v);
      }
    }
    collect(node.parts, used, declared);
    collect(node.otherwise, used, declared);
  }
}

// Those of earlier regions that this one uses, computed again.
void Writer::constants_of(const Node& region) {
  std::set<uint32_t> used, declared;
  collect(region.parts, used, declared);
  for (bool more = true; more;) {
    more = false;
    const std::set<uint32_t> before = used;
    for (const uint32_t v : before) {
      const Variable& variable = code_.variables()[v];
      if (plan_.is_planned(v) && plan_.is_constant(v) && variable.init_begin != kNone)
        collect_range(variable.init_begin, variable.init_end, used);
    }
    more = used.size() != before.size();
  }
  for (const uint32_t v : used) {
    const Variable& variable = code_.variables()[v];
    if (declared.count(v) == 0 && !variable.is_parameter && !variable.is_shared && plan_.is_planned(v) &&
        plan_.is_constant(v) && !plan_.is_of_block(v) && !variable.in_for_header)
      constant(v);
  }
}

void Writer::region(const Node& node) {
  write(" ::cpu_device::for_lanes(cpu_device_place, [&](auto cpu_device_lanes, const ::cpu_device::ReadOnlyIndex threadIdx, "
        "const ::cpu_device::ThreadNumber cpu_device_at)" + std::string(kInline) +
        "-> ::cpu_device::Row { constexpr int cpu_device_count = decltype(cpu_device_lanes)::value;");
  if (std::any_of(by_elements_.begin(), by_elements_.end(), [this](uint32_t v) { return homes_.at(v) == Home::kBlock; }))
    write(" if (cpu_device_count > 1 && cpu_device_at % ::cpu_device::kLanes != 0) return ::cpu_device::Row::kRefused;");
  constants_of(node);
  lane_nodes(node.parts);
  write(" return ::cpu_device::Row::kGoesOn; });");
}

// ---- what happens in a region ----

void Writer::lane_nodes(const std::vector<Node>& nodes) {
  for (const Node& node : nodes) {
    switch (node.kind) {
      case Node::kLanes:
        lanes(node);
        break;
      case Node::kConstant:
        constant(node.variable);
        break;
      case Node::kCounter: {
        const Variable& v = code_.variables()[node.variable];
        copy(v.type_begin, v.type_end);
        copy(v.begin, v.end);
        initialize(v);
        write(";");
        break;
      }
      case Node::kUniform:
        copy(node.statement->begin, node.statement->end);
        break;
      case Node::kGuard:
        guard(node);
        break;
      case Node::kStride:
        stride(node);
        break;
      case Node::kScope:
        write(" {");
        lane_nodes(node.parts);
        write(" }");
        break;
      default:
        head(node);
        lane_nodes(node.parts);
        write(" }");
        if (node.kind == Node::kIf && node.statement->parts.size() > 1) {
          write(" else {");
          lane_nodes(node.otherwise);
          write(" }");
        }
    }
  }
}

// Whether functions that are called in these lanes read threadIdx by themselves.
bool Writer::shows_thread(const Node& node) const {
  for (const Piece& one : node.pieces)
    if (never_waits_.calls_thread_reader(code_, one.statement->begin, one.statement->end)) return true;
  return false;
}

// What the names mean for one lane.
void Writer::lane_names(const std::set<uint32_t>& used, const std::set<uint32_t>& declared, bool shows_thread) {
  write(" [[maybe_unused]] const ::cpu_device::ReadOnlyIndex cpu_device_thread = ::cpu_device::at_lane(threadIdx, cpu_device_lane);");
  if (shows_thread) write(" ::cpu_device::show_thread(cpu_device_thread);");
  write(" { [[maybe_unused]] const ::cpu_device::ReadOnlyIndex threadIdx = cpu_device_thread;");
  for (const uint32_t v : used) {
    if (declared.count(v) != 0 || !plan_.is_planned(v)) continue;
    const Variable& variable = code_.variables()[v];
    if (variable.is_shared || variable.is_parameter) continue;
    if (plan_.is_joint(v) || (plan_.is_constant(v) && plan_.is_affine(v)))
      write(" [[maybe_unused]] const auto " + name_of(v) + " = ::cpu_device::at_lane(" + first_of(v) + ", cpu_device_lane);");
    if (plan_.is_joint(v) || plan_.is_constant(v) || plan_.is_counter(v) || plan_.is_of_stride(v)) continue;
    const auto home = homes_.find(v);
    if (home == homes_.end() || home->second == Home::kLoop) continue;
    write(name_for_lane(v));
  }
}

// `for (i = ...; i < n; i += stride)` of one lane, where the others have left it.
void Writer::rest_of_stride(const Statement& s) {
  const Variable& v = code_.variables()[s.first->variables[0]];
  write(" for (");
  copy(v.type_begin, v.type_end);
  const std::string name(tokens_.spelling(v.name));
  write(name + " = cpu_device_apart ? static_cast<std::decay_t<decltype(cpu_device_rest)>>(");
  copy_in_lane(v.init_begin, v.init_end);
  write(") : ::cpu_device::at_lane(cpu_device_rest, cpu_device_lane); ");
  copy(s.condition_begin, s.condition_end);
  write(";");
  copy(s.step_begin, s.step_end);
  write(")");
  copy_in_lane(s.parts[0]->begin, s.parts[0]->end);
}

void Writer::piece(const Piece& piece) {
  if (piece.is_rest) return rest_of_stride(*piece.statement);
  if (piece.variable == kNone) {
    copy_in_lane(piece.statement->begin, piece.statement->end);
    return;
  }
  const Variable& v = code_.variables()[piece.variable];
  const auto home = homes_.find(piece.variable);
  if (home == homes_.end() || home->second == Home::kLoop) {
    copy(v.type_begin, v.type_end);
    copy(v.begin, v.end);
    initialize(v);
    write(";");
    return;
  }
  const std::string name = name_of(piece.variable);
  write(name_for_lane(piece.variable));
  if (v.init == 0) return;
  if (v.is_array) {
    write(" {");
    copy(v.type_begin, v.type_end);
    write(" cpu_device_initial" + code_.text(v.name + 1, v.end));
    initialize(v);
    if (is_by_elements(piece.variable))
      write("; " + name + ".assign(cpu_device_initial); }");
    else
      write("; __builtin_memcpy(&" + name + ", &cpu_device_initial, sizeof " + name + "); }");
    return;
  }
  const bool braces = v.init == '{' || (v.init == '=' && tokens_.is(v.init_begin, '{'));
  write(" " + name + " =");
  if (v.init != '=' || braces) write(" std::decay_t<decltype(" + name + ")>" + (v.init == '=' ? "" : braces ? "{" : "("));
  copy_in_lane(v.init_begin, v.init_end);
  if (v.init != '=') write(braces ? "}" : ")");
  write(";");
}

void Writer::lanes(const Node& node) {
  std::set<uint32_t> used, declared;
  collect({node}, used, declared);
  const bool shows = shows_thread(node);
  for (const Piece& one : node.pieces) {
    if (one.variable == kNone) {  // with what it declares
      for (uint32_t v = 0; v < code_.variables().size(); ++v)
        if (plan_.is_declared_in(v, *one.statement)) declared.insert(v);
      continue;
    }
    const auto home = homes_.find(one.variable);
    if (home != homes_.end() && home->second == Home::kChunk) array(one.variable, "cpu_device_count");
  }
  const std::string before = std::move(text_);
  text_.clear();
  subscripts_.clear();
  write("\n#pragma GCC unroll 1");
  mark(node.pieces[0].statement->begin);
  write("for (int cpu_device_lane = 0; cpu_device_lane < cpu_device_count; ++cpu_device_lane) {");
  lane_names(used, declared, shows);
  if (node.returns) write(" [&]()" + std::string(kInline) + "-> void {");
  for (const Piece& one : node.pieces) piece(one);
  write(node.returns ? " }(); } }" : " } }");
  if (shows) write(" ::cpu_device::hide_thread();");
  if (subscripts_.empty()) {
    text_ = before + text_;
    return;
  }
  const std::string loop = std::move(text_);
  text_ = before + " {";
  line_ = 0;
  std::string indices;
  const auto subscripts = std::move(subscripts_);
  for (size_t i = 0; i < subscripts.size(); ++i) {
    indices += ", cpu_device_index_" + std::to_string(i);
    write(" const auto cpu_device_index_" + std::to_string(i) + " = ::cpu_device::first_index([&]" + kInline + "{ return");
    copy(subscripts[i].first, subscripts[i].second);
    write("; });");
  }
  write(" ::cpu_device::with_width<cpu_device_count>([&]([[maybe_unused]] const auto cpu_device_wide)" + std::string(kInline) + "-> void {" + loop +
        " }" + indices + "); }");
  line_ = 0;
  subscripts_.clear();
}

void Writer::guard(const Node& node) {
  const Statement& s = *node.statement;
  std::set<uint32_t> used;
  collect_range(s.condition_begin, s.condition_end, used);
  const std::string holds = "cpu_device_holds_" + std::to_string(node.number);
  write(" const auto " + holds + " = [&](const int cpu_device_lane)" + kInline + "-> bool {");
  lane_names(used, {}, never_waits_.calls_thread_reader(code_, s.condition_begin, s.condition_end));
  write(" return static_cast<bool>(");
  copy(s.condition_begin, s.condition_end);
  write("); } };");
  write(" switch (::cpu_device::ask_lanes<cpu_device_count, " + std::string(node.monotone ? "true" : "false") + ", " +
        (node.negative ? "true" : "false") + ">(" + holds + ")) { case 0: return ::cpu_device::Row::kRefused; case 1:");
  for (const LastingTerm& term : node.lasting) {
    write(node.negative ? " if ((" : term.is_equality ? " if ((" : " if (!(");
    if (term.is_equality) {
      copy(term.name_begin, term.name_end);
      write(") > (");
      copy(term.other_begin, term.other_end);
    } else {
      copy(term.begin, term.end);
    }
    write(") && !::cpu_device::crosses_in_row(");
    copy(term.name_begin, term.name_end);
    write(", cpu_device_place, threadIdx)) return ::cpu_device::Row::kIsDone;");
  }
  write(" return ::cpu_device::Row::kGoesOn; }");
  if (node.negative) return;
  write(" {");
  lane_nodes(node.parts);
  write(" }");
}

// All lanes take a step together where the last one has it, too; the rest is done lane by lane.
void Writer::stride(const Node& node) {
  const Statement& s = *node.statement;
  const uint32_t v = node.variable;
  const std::string name = name_of(v);
  const std::string for_lanes = " for (int cpu_device_lane = 0; cpu_device_lane < cpu_device_count; ++cpu_device_lane) ";
  write(" {");
  if (plan_.is_of_stride(v)) {
    copy(code_.variables()[v].type_begin, code_.variables()[v].type_end);
    copy(code_.variables()[v].begin, code_.variables()[v].end);
    initialize(code_.variables()[v]);
    write("; const bool cpu_device_apart = cpu_device_count == 1 || ::cpu_device::crosses<cpu_device_count>(" + name + ");");
  } else {
    write(" auto " + name + " = " + array_of(v) + "[" + (homes_.at(v) == Home::kBlock ? "cpu_device_at" : "0") +
          "]; bool cpu_device_apart = cpu_device_count == 1;" + for_lanes + "cpu_device_apart |= " + element_of(v) +
          " != ::cpu_device::at_lane(" + name + ", cpu_device_lane);");
  }
  write(" if constexpr (cpu_device_count > 1) if (!cpu_device_apart) { for (; !::cpu_device::leaves<cpu_device_count>(" + name +
        ") && [&](const std::decay_t<decltype(" + name + ")> " + name + ")" + kInline + "-> bool { return static_cast<bool>(");
  copy(s.condition_begin, s.condition_end);
  write("); }(::cpu_device::at_lane(" + name + ", cpu_device_count - 1)); ");
  copy(node.step_begin, node.step_end);
  write(") { const auto " + first_of(v) + " = " + name + ";");
  plan_.set_joint(v, true);
  lane_nodes(node.parts);
  plan_.set_joint(v, false);
  write(" }");
  if (!plan_.is_of_stride(v)) write(for_lanes + element_of(v) + " = ::cpu_device::at_lane(" + name + ", cpu_device_lane);");
  write(" }");
  if (plan_.is_of_stride(v)) write(" const auto cpu_device_rest = " + name + ";");
  lane_nodes(node.otherwise);
  write(" }");
}

std::string Writer::lambda() {
  find_uses(plan_.nodes());
  find_homes();
  write(", [=](const ::cpu_device::BlockPlace& cpu_device_place)" + std::string(kInline) + "-> bool {");
  mark(code_.begin());
  write("#pragma GCC diagnostic push");
  for (const char* warning : kWarningsOfOptimizer) write(std::string("\n#pragma GCC diagnostic ignored \"-W") + warning + "\"");
  mark(code_.begin());
  write("[[maybe_unused]] const ::cpu_device::ReadOnlyIndex blockIdx = cpu_device_place.block, "
        "blockDim = cpu_device_place.block_size, gridDim = cpu_device_place.grid_size;");
  std::string sizes;
  for (const auto& [v, home] : homes_) {
    if (home != Home::kBlock || is_by_elements(v)) continue;
    array(v, "::cpu_device::kMostThreads");
    sizes += (sizes.empty() ? "sizeof(" : " + sizeof(") + array_of(v) + ")";
  }
  if (!sizes.empty()) write(" if (" + sizes + " > " + kMostArrayBytes + ") return false;");
  by_elements_of_block();
  block_nodes(plan_.nodes());
  write(" return true;\n#pragma GCC diagnostic pop\n}");
  return std::move(text_);
}

}  // namespace

BlockLoop block_loop(const Tokens& tokens, NeverWaits& never_waits, uint32_t parameters, uint32_t body) {
  const KernelCode code(tokens, parameters, body);
  if (!code.understood()) {
    const std::string word = never_waits.word_that_waits(code);
    return {"", word.empty() ? code.problem() : word};
  }
  const std::string waits = never_waits.problem(code);
  if (!waits.empty()) return {"", waits};
  KernelPlan plan(tokens, code, never_waits);
  if (!plan.problem().empty()) return {"", plan.problem()};
  return {Writer(tokens, code, plan, never_waits).lambda(), ""};
}

}  // namespace cpu_device
