#include "lambda_calls.h"

#include <string_view>
#include <vector>

#include "kernel_code.h"
#include "never_waits.h"

namespace cpu_device {
namespace {

struct Range {
  uint32_t begin, end;  // tokens
};

struct Lambda {
  uint32_t begin, end;  // the statement, with its `;`
  uint32_t name;
  struct Parameter {
    Range type;
    uint32_t name;
    int uses;  // in the expression
  };
  std::vector<Parameter> parameters;
  Range expression;
};

class LambdaWriter {
 public:
  LambdaWriter(const Tokens& tokens, uint32_t parameters, uint32_t body)
      : tokens_(tokens), parameters_(parameters), body_(body), end_(tokens[body].match) {}

  std::string kernel() {
    if (end_ == kNone || !find_lambdas()) return {};
    text_ = "void kernel";
    line_marker(parameters_);
    copy({parameters_, tokens_[parameters_].match + 1});
    line_marker(body_);
    if (!write({body_, end_ + 1})) return {};
    return std::move(text_);
  }

 private:
  bool is_name(uint32_t i) const {
    return tokens_.is_identifier(i) && !tokens_.is(i - 1, '.') && !tokens_.is_arrow(i - 1) && !tokens_.is_scope(i - 1);
  }
  bool is_twice(uint32_t i, char c) const { return tokens_.is(i, c) && tokens_.adjacent(i) && tokens_.is(i + 1, c); }
  bool is_plain_assignment(uint32_t i) const { return tokens_.is(i, '=') && !is_twice(i, '=') && !tokens_.is(i - 1, '='); }

  // All of them; false if there is none, or one that is not understood.
  bool find_lambdas() {
    for (uint32_t i = body_ + 1; i < end_; ++i) {
      if (!tokens_.is(i, '[') || !is_plain_assignment(i - 1)) continue;
      Lambda lambda{};
      if (!read(i, lambda)) return false;
      lambdas_.push_back(lambda);
      i = lambda.end - 1;
    }
    return !lambdas_.empty();
  }

  // `auto name = [captures](parameters) { return expression; };`, its captures at token i.
  bool read(uint32_t i, Lambda& lambda) {
    lambda.name = i - 2;
    lambda.begin = i - 3;
    if (!is_name(lambda.name) || !tokens_.is(lambda.begin, "auto")) return false;
    if (tokens_.is(lambda.begin - 1, "const")) --lambda.begin;
    const uint32_t captures_end = tokens_[i].match, open = captures_end + 1;
    if (captures_end == kNone || !tokens_.is(open, '(') || tokens_[open].match == kNone) return false;
    for (uint32_t t = i + 1; t < captures_end; ++t)
      if (!tokens_.is_identifier(t) && !tokens_.is(t, '&') && !tokens_.is(t, ',') && !tokens_.is(t, '=')) return false;
    if (!read_parameters(open, lambda)) return false;
    const uint32_t brace = tokens_[open].match + 1, close = tokens_.is(brace, '{') ? tokens_[brace].match : kNone;
    if (close == kNone || !tokens_.is(brace + 1, "return") || !tokens_.is(close - 1, ';') || !tokens_.is(close + 1, ';')) return false;
    lambda.expression = {brace + 2, close - 1};
    lambda.end = close + 2;
    return read_expression(lambda);
  }

  bool read_parameters(uint32_t open, Lambda& lambda) {
    const uint32_t close = tokens_[open].match;
    for (uint32_t begin = open + 1; begin < close;) {
      uint32_t end = begin;
      for (; end < close && !tokens_.is(end, ','); ++end)
        if (!tokens_.is_identifier(end) && !tokens_.is_scope(end)) return false;
      if (tokens_.is(begin, "const")) ++begin;
      if (end < begin + 2 || !tokens_.is_identifier(end - 1)) return false;
      lambda.parameters.push_back({{begin, end - 1}, end - 1, 0});
      begin = end + 1;
    }
    return true;
  }

  bool read_expression(Lambda& lambda) {
    for (uint32_t t = lambda.expression.begin; t < lambda.expression.end; ++t) {
      if (tokens_.is(t, ';') || tokens_.is(t, '{') || changes(t)) return false;
      if (!is_name(t)) continue;
      if (Lambda::Parameter* parameter = parameter_of(lambda, tokens_.spelling(t)))
        parameter->uses++;
      else if (is_declared(tokens_.spelling(t), lambda))
        return false;
    }
    return lambda.expression.begin < lambda.expression.end;
  }

  static Lambda::Parameter* parameter_of(Lambda& lambda, const Tokens& tokens, std::string_view name) {
    for (Lambda::Parameter& parameter : lambda.parameters)
      if (tokens.spelling(parameter.name) == name) return &parameter;
    return nullptr;
  }
  Lambda::Parameter* parameter_of(Lambda& lambda, std::string_view name) const { return parameter_of(lambda, tokens_, name); }

  // An assignment, `++` or `--`.
  bool changes(uint32_t i) const {
    if (is_twice(i, '+') || is_twice(i, '-')) return true;
    if (!is_plain_assignment(i)) return false;
    return !(tokens_.adjacent(i - 1) && (tokens_.is(i - 1, '<') || tokens_.is(i - 1, '>') || tokens_.is(i - 1, '!')));
  }

  // In the kernel's body, or perhaps so: where the lambda is called, the name may mean something else.
  bool is_declared(std::string_view name, const Lambda& lambda) const {
    for (uint32_t t = body_ + 1; t < end_; ++t) {
      if (t == lambda.begin) t = lambda.end;
      if (!is_name(t) || tokens_.spelling(t) != name) continue;
      const bool behind_type = (tokens_.is_identifier(t - 1) && !tokens_.is(t - 1, "return") && !tokens_.is(t - 1, "else")) ||
                               tokens_.is(t - 1, '>');
      const bool behind_star = tokens_.is(t - 1, '*') || tokens_.is(t - 1, '&');
      const bool behind_comma = tokens_.is(t - 1, ',') && tokens_[t].parent != kNone && !tokens_.is(tokens_[t].parent, '(');
      if (behind_type || behind_comma || ((behind_star || tokens_.is(t - 1, ',')) && is_plain_assignment(t + 1)) ||
          (behind_star && (tokens_.is(t + 1, ';') || tokens_.is(t + 1, '[')) && begins_declaration(t - 1)))
        return true;
    }
    return false;
  }
  // `float* p;`, not `a = b * p;`
  bool begins_declaration(uint32_t star) const {
    uint32_t t = star;
    while (tokens_.is_identifier(t - 1) || tokens_.is(t - 1, '*') || tokens_.is_scope(t - 1)) --t;
    return tokens_.is(t - 1, ';') || tokens_.is(t - 1, '{') || tokens_.is(t - 1, '}');
  }

  void line_marker(uint32_t t) { text_ += line_marker_of(tokens_.locate(tokens_[t].begin)); }
  void copy(Range range) {
    text_ += tokens_.text().substr(tokens_[range.begin].begin, tokens_[range.end - 1].end - tokens_[range.begin].begin);
  }
  const Lambda* lambda_at(uint32_t i) const {
    if (is_name(i))
      for (const Lambda& lambda : lambdas_)
        if (tokens_.spelling(i) == tokens_.spelling(lambda.name)) return &lambda;
    return nullptr;
  }

  // Copies, without the lambdas and with their calls written out.
  bool write(Range range) {
    uint32_t copied = range.begin;
    const auto copy_up_to = [&](uint32_t t) {
      if (copied < t) copy({copied, t});
      text_ += ' ';
    };
    for (uint32_t t = range.begin; t < range.end; ++t) {
      bool is_lambda = false;
      for (const Lambda& lambda : lambdas_) {
        if (t != lambda.begin) continue;
        copy_up_to(t);
        text_ += ';';
        copied = lambda.end;
        t = lambda.end - 1;
        is_lambda = true;
      }
      const Lambda* called = is_lambda ? nullptr : lambda_at(t);
      if (!is_lambda && called == nullptr) continue;
      if (called != nullptr) {
        copy_up_to(t);
        if (!write_call(*called, t)) return false;
        copied = t + 1;
      }
      if (copied < range.end) line_marker(copied);
    }
    if (copied < range.end) copy({copied, range.end});
    return true;
  }

  // Moves t, the lambda's name, to the end of its call.
  bool write_call(const Lambda& lambda, uint32_t& t) {
    const uint32_t open = t + 1, scope = tokens_[lambda.name].parent;
    if (t < lambda.end || t > tokens_[scope].match || !tokens_.is(open, '(') || tokens_[open].match == kNone) return false;
    std::vector<Range> arguments;
    if (!read_arguments(open, arguments) || arguments.size() != lambda.parameters.size()) return false;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (lambda.parameters[i].uses != 1 && !may_be_repeated(arguments[i])) return false;
    text_ += '(';
    for (uint32_t e = lambda.expression.begin; e < lambda.expression.end; ++e) {
      size_t which = 0;
      while (which < arguments.size() && !(is_name(e) && tokens_.spelling(lambda.parameters[which].name) == tokens_.spelling(e))) ++which;
      if (which < arguments.size()) {
        if (!write_argument(lambda.parameters[which], arguments[which])) return false;
      } else {
        text_ += tokens_.spelling(e);
      }
      if (!tokens_.adjacent(e)) text_ += ' ';
    }
    text_ += ')';
    t = tokens_[open].match;
    return true;
  }

  bool read_arguments(uint32_t open, std::vector<Range>& arguments) const {
    const uint32_t close = tokens_[open].match;
    uint32_t begin = open + 1;
    for (uint32_t t = begin; t <= close; ++t) {
      if (changes(t) || tokens_.is(t, '{')) return false;
      if (t == close || tokens_.is(t, ',')) {
        if (t > begin) arguments.push_back({begin, t});
        begin = t + 1;
      } else if ((tokens_.is(t, '(') || tokens_.is(t, '[')) && tokens_[t].match != kNone) {
        for (uint32_t inner = t; inner < tokens_[t].match; ++inner)
          if (changes(inner)) return false;
        t = tokens_[t].match;
      }
    }
    return true;
  }
  bool may_be_repeated(Range range) const {
    for (uint32_t t = range.begin; t < range.end; ++t)
      if (is_name(t) && tokens_.is(t + 1, '(') && !NeverWaits::is_pure(tokens_.spelling(t)) && lambda_at(t) == nullptr) return false;
    return true;
  }
  bool write_argument(const Lambda::Parameter& parameter, Range argument) {
    text_ += '(';
    if (!tokens_.is(parameter.type.begin, "auto")) {
      text_ += "static_cast<";
      copy(parameter.type);
      text_ += ">(";
      if (!write_tokens(argument)) return false;
      text_ += ')';
    } else if (!write_tokens(argument)) {
      return false;
    }
    text_ += ')';
    return true;
  }
  // On one line.
  bool write_tokens(Range range) {
    for (uint32_t t = range.begin; t < range.end; ++t) {
      if (const Lambda* called = lambda_at(t)) {
        if (!write_call(*called, t)) return false;
      } else {
        text_ += tokens_.spelling(t);
      }
      if (!tokens_.adjacent(t)) text_ += ' ';
    }
    return true;
  }

  const Tokens& tokens_;
  const uint32_t parameters_, body_, end_;
  std::vector<Lambda> lambdas_;
  std::string text_;
};

}  // namespace

std::string with_lambda_calls_written_out(const Tokens& tokens, uint32_t parameters, uint32_t body) {
  return LambdaWriter(tokens, parameters, body).kernel();
}

}  // namespace cpu_device
