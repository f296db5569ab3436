#include "block_loops.h"

#include "barrier_calls.h"
#include "block_groups.h"
#include "changed_parameters.h"
#include "lambda_calls.h"

#include <algorithm>

#include "loop_writer.h"

namespace cpu_device {
namespace {

constexpr const char* kInline = " __attribute__((always_inline)) ";
// What the arrays of a block may take of its stack.
constexpr const char* kMostArrayBytes = "131072";

// Given for the thread function, where they are of the program's code. Others are off behind line markers with a 3.
constexpr const char* kWarningsOfOptimizer[] = {"aggressive-loop-optimizations", "array-bounds", "maybe-uninitialized", "uninitialized",
                                                "stringop-overflow", "stringop-overread", "null-dereference", "div-by-zero"};

}  // namespace

// What follows is of the line of token t.
void LoopWriter::mark(uint32_t t) {
  const Position position = tokens_.locate(tokens_[t].begin);
  line_ = position.line;
  file_ = position.file;
  text_ += "\n# " + std::to_string(line_) + " " + (file_.empty() ? "\"\"" : std::string(file_)) + " 3\n";
}

// Each token at its line: what the compiler and the debugger say of it is said of the user's file. As of a
// system's header: warnings were given for the thread function.
void LoopWriter::copy_token(uint32_t t, bool is_first) {
  const Position position = tokens_.locate(tokens_[t].begin);
  if (position.line != line_ || position.file != file_) {
    mark(t);
  } else if (is_first || !tokens_.adjacent(t - 1)) {
    text_ += ' ';
  }
  text_ += tokens_.spelling(t);
}

void LoopWriter::copy(uint32_t begin, uint32_t end) {
  for (uint32_t t = begin; t < end; ++t) copy_token(t, t == begin);
  text_ += ' ';
}

// A subscript that is a sum with the lane may be one of 32 bits without a sign, which wraps around: the
// compiler would not see neighbors in it. It is computed for the first lane before the loop.
void LoopWriter::copy_in_lane(uint32_t begin, uint32_t end) {
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

// ---- what happens in a block ----

void LoopWriter::head(const Node& node) {
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
  write(s.kind == Statement::kWhile ? " while (" : s.is_constexpr ? " if constexpr (" : " if (");
  copy(s.condition_begin, s.condition_end);
  write(") {");
}

void LoopWriter::block_nodes(const std::vector<Node>& nodes) {
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
      case Node::kAgreed:
        agreed(node);
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

void LoopWriter::collect_range(uint32_t begin, uint32_t end, std::set<uint32_t>& used) const {
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t v = code_.variable_at(i);
    if (v != kNone) used.insert(v);
  }
}

void LoopWriter::collect(const std::vector<Node>& nodes, std::set<uint32_t>& used, std::set<uint32_t>& declared) const {
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
void LoopWriter::constants_of(const Node& region) {
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

// A single loop over the lanes without a loop in it, perhaps behind guards: a few instructions for each lane, and no array
// of the lanes' values.
bool LoopWriter::is_short(const std::vector<Node>& nodes, bool* has_lanes) const {
  constexpr uint32_t kFewTokens = 80;
  for (const Node& node : nodes) {
    if (node.kind == Node::kLanes) {
      if (*has_lanes || shows_thread(node)) return false;
      *has_lanes = true;
      uint32_t length = 0;
      for (const Piece& one : node.pieces) {
        length += one.statement->end - one.statement->begin;
        for (uint32_t t = one.statement->begin; t < one.statement->end; t++)
          if (tokens_.is(t, "for") || tokens_.is(t, "while") || tokens_.is(t, "do")) return false;
      }
      if (length > kFewTokens) return false;
    } else if (node.kind != Node::kGuard && node.kind != Node::kConstant && node.kind != Node::kScope) {
      return false;
    }
    if (!is_short(node.parts, has_lanes) || !is_short(node.otherwise, has_lanes)) return false;
  }
  return true;
}

// A guard at which lanes of many blocks differ, as at the edges of a tile: not one such as `i < n`, which all lanes of all
// blocks but the last pass, nor `t == 0`, which one lane of the block does.
bool LoopWriter::parts_lanes(const std::vector<Node>& nodes) {
  const auto takes_one = [](const Node& guard) {
    return std::any_of(guard.lasting.begin(), guard.lasting.end(), [](const LastingTerm& term) { return term.is_equality; });
  };
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return (node.kind == Node::kGuard && !node.one_sided && !takes_one(node)) || parts_lanes(node.parts) || parts_lanes(node.otherwise);
  });
}

void LoopWriter::region(const Node& node) {
  if (node.parts.size() == 1 && node.parts[0].kind == Node::kAsk) write(" unsigned " + asked_of(node.parts[0]) + " = 0;");
  bool has_lanes = false;
  const bool keeps_values = std::any_of(homes_.begin(), homes_.end(), [](const auto& one) { return one.second != Home::kLoop; });
  const bool is_only = std::count_if(plan_.nodes().begin(), plan_.nodes().end(), [](const Node& one) { return one.kind != Node::kConstant; }) == 1;
  const bool many = is_only && !keeps_values && by_elements_.empty() && is_short(node.parts, &has_lanes) && has_lanes;
  write(std::string(" ::cpu_device::for_lanes<::cpu_device::") + (many ? "kManyLanes" : "kLanes") +
        (parts_lanes(node.parts) ? ", true" : "") + ">(cpu_device_place, "
        "[&](auto cpu_device_lanes, const ::cpu_device::ReadOnlyIndex threadIdx, "
        "const ::cpu_device::ThreadNumber cpu_device_at)" + std::string(kInline) +
        "-> ::cpu_device::Row { constexpr int cpu_device_count = decltype(cpu_device_lanes)::value;");
  if (std::any_of(by_elements_.begin(), by_elements_.end(), [this](uint32_t v) { return homes_.at(v) == Home::kBlock; }))
    write(" if (cpu_device_count > 1 && cpu_device_at % ::cpu_device::kLanes != 0) return ::cpu_device::Row::kRefused;");
  constants_of(node);
  lane_nodes(node.parts);
  write(" return ::cpu_device::Row::kGoesOn; });");
}

// ---- what happens in a region ----

void LoopWriter::lane_nodes(const std::vector<Node>& nodes) {
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
      case Node::kAsk:
        ask(node);
        break;
      case Node::kStride:
        stride(node);
        break;
      case Node::kScope:
        write(" {");
        lane_nodes(node.parts);
        write(" }");
        break;
      case Node::kLoop: {
        const std::vector<uint32_t> kept = kept_.empty() ? take_copies(node) : std::vector<uint32_t>();
        head(node);
        lane_nodes(node.parts);
        write(" }");
        put_back(kept);
        break;
      }
      default:
        head(node);
        lane_nodes(node.parts);
        write(" }");
        if (node.statement->parts.size() > 1) {
          write(" else {");
          lane_nodes(node.otherwise);
          write(" }");
        }
    }
  }
}

// Whether functions that are called in these lanes read threadIdx by themselves.
bool LoopWriter::shows_thread(const Node& node) const {
  for (const Piece& one : node.pieces)
    if (never_waits_.calls_thread_reader(code_, one.statement->begin, one.statement->end)) return true;
  return false;
}

// What the names mean for one lane.
void LoopWriter::lane_names(const std::set<uint32_t>& used, const std::set<uint32_t>& declared, bool shows_thread) {
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
void LoopWriter::rest_of_stride(const Statement& s) {
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

void LoopWriter::piece(const Piece& piece) {
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

void LoopWriter::lanes(const Node& node) {
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
  if (stores_last(node)) write("\n#pragma GCC ivdep");
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

void LoopWriter::guard(const Node& node) {
  const Statement& s = *node.statement;
  std::set<uint32_t> used;
  collect_range(s.condition_begin, s.condition_end, used);
  const std::string holds = "cpu_device_holds_" + std::to_string(node.number);
  write(" const auto " + holds + " = [&](const int cpu_device_lane)" + kInline + "-> bool {");
  lane_names(used, {}, never_waits_.calls_thread_reader(code_, s.condition_begin, s.condition_end));
  write(" return static_cast<bool>(");
  copy(s.condition_begin, s.condition_end);
  write("); } };");
  write(" switch (::cpu_device::ask_lanes<cpu_device_count, " + std::string(node.one_sided ? "2" : node.monotone ? "1" : "0") + ", " +
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

// Notes for all lanes whether the condition holds (1) or not (2).
void LoopWriter::ask(const Node& node) {
  const Statement& s = *node.statement;
  std::set<uint32_t> used;
  collect_range(s.condition_begin, s.condition_end, used);
  const bool shows = never_waits_.calls_thread_reader(code_, s.condition_begin, s.condition_end);
  write(" for (int cpu_device_lane = 0; cpu_device_lane < cpu_device_count; ++cpu_device_lane) {");
  lane_names(used, {}, shows);
  write(asked_of(node) + " |= static_cast<bool>(");
  copy(s.condition_begin, s.condition_end);
  write(") ? 1 : 2; } }");
  if (shows) write(" ::cpu_device::hide_thread();");
}

void LoopWriter::agreed(const Node& node) {
  const std::string asked = asked_of(node);
  write(" if (" + asked + " == 3) return false; if (" + asked + " == 1) {");
  if (node.negative) return write(" return true; }");
  block_nodes(node.parts);
  write(" }");
  if (node.statement->parts.size() < 2) return;
  write(" else {");
  block_nodes(node.otherwise);
  write(" }");
}

// All lanes take a step together if the last one also takes it. The rest is done lane by lane.
void LoopWriter::stride(const Node& node) {
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

std::string LoopWriter::lambda() {
  find_uses(plan_.nodes());
  find_homes();
  write(", [=](const ::cpu_device::BlockPlace& cpu_device_place)" + std::string(kInline) + "-> bool {");
  mark(code_.begin());
  write("#pragma GCC diagnostic push");
  for (const char* warning : kWarningsOfOptimizer) write(std::string("\n#pragma GCC diagnostic ignored \"-W") + warning + "\"");
  mark(code_.begin());
  write("[[maybe_unused]] const ::cpu_device::ReadOnlyIndex blockIdx = cpu_device_place.block, "
        "blockDim = cpu_device_place.block_size, gridDim = cpu_device_place.grid_size;");
  for (const auto& part : code_.body().parts)
    if (plan_.is_type_of_kernel(*part)) copy(part->begin, part->end);
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

// A kernel with tokens of its own: text that one of the with_... functions has written.
struct WrittenOut {
  explicit WrittenOut(std::string written) : text(std::move(written)), tokens(text) {
    while (parameters < tokens.size() && !tokens.is(parameters, '(')) ++parameters;
    if (parameters < tokens.size() && tokens[parameters].match != kNone) body = tokens[parameters].match + 1;
    if (!tokens.is(body, '{') || tokens[body].match == kNone) body = kNone;
  }
  const std::string text;
  const Tokens tokens;
  uint32_t parameters = 0, body = kNone;  // kNone: brackets do not match
};

static BlockLoop loop_of(const WrittenOut& own, NeverWaits& never_waits);

static BlockLoop loop_of(const Tokens& tokens, NeverWaits& never_waits, uint32_t parameters, uint32_t body) {
  const KernelCode code(tokens, parameters, body, never_waits.pointer_types());
  if (!code.understood()) {
    const std::string word = never_waits.word_that_waits(code);
    return {"", word.empty() ? code.problem() : word};
  }
  const std::string text = with_changed_parameters_as_variables(tokens, code);
  if (!text.empty()) return loop_of(WrittenOut(text), never_waits);
  const std::string waits = never_waits.problem(code);
  if (!waits.empty()) return {"", waits};
  KernelPlan plan(tokens, code, never_waits);
  if (!plan.problem().empty()) return {"", plan.problem()};
  LoopWriter writer(tokens, code, plan, never_waits);
  const std::string written = writer.lambda();
  return writer.problem().empty() ? BlockLoop{written, ""} : BlockLoop{"", writer.problem()};
}

static BlockLoop loop_of(const WrittenOut& own, NeverWaits& never_waits) {
  return own.body == kNone ? BlockLoop{"", "brackets do not match"} : loop_of(own.tokens, never_waits, own.parameters, own.body);
}

BlockLoop block_loop(const Tokens& tokens, NeverWaits& never_waits, uint32_t parameters, uint32_t body) {
  std::string text = with_barrier_calls_written_out(tokens, never_waits, parameters, body);
  if (!text.empty()) return loop_of(WrittenOut(std::move(text)), never_waits);
  text = with_block_groups_written_out(tokens, parameters, body);
  if (text.empty()) {
    text = with_lambda_calls_written_out(tokens, parameters, body);
    return text.empty() ? loop_of(tokens, never_waits, parameters, body) : loop_of(WrittenOut(std::move(text)), never_waits);
  }
  const WrittenOut own(std::move(text));
  text = own.body == kNone ? "" : with_lambda_calls_written_out(own.tokens, own.parameters, own.body);
  return text.empty() ? loop_of(own, never_waits) : loop_of(WrittenOut(std::move(text)), never_waits);
}

}  // namespace cpu_device
