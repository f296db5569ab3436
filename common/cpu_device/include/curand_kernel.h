// cuRAND in kernels. Philox gives the numbers that it gives on a GPU; xorwow and MRG32k3a are the
// published generators with seeds of our own, so that their numbers differ from a GPU's.
#pragma once

#include <type_traits>

#include "cpu_device/random.h"
#include "curand.h"

namespace cpu_device {

// What all states have: the second of a pair of numbers, for the next call that asks for such a number. Another kind
// of number between them replaces it.
enum class Kept : unsigned char { none, normal, log_normal };
struct RandomState {
  double kept_double;
  float kept;
  Kept kind, kind_double;
};
// The second number of the pair that the last such call made, or the first one of a new pair.
template <typename T, typename MakePair>
inline T next_of_pair(Kept wanted, Kept* kind, T* kept, const MakePair& make_pair) {
  const bool known = *kind == wanted;
  *kind = known ? Kept::none : wanted;
  if (known) return *kept;
  const auto pair = make_pair();
  *kept = pair.y;
  return pair.x;
}
// Quasirandom states have some functions in another form.
template <typename State>
using IfPseudorandom = typename std::enable_if<std::is_base_of<RandomState, State>::value, int>::type;
template <typename State>
using IfQuasirandom = typename std::enable_if<!std::is_base_of<RandomState, State>::value, int>::type;

}  // namespace cpu_device

struct curandStateXORWOW : cpu_device::RandomState {
  unsigned int d, v[5];
};
struct curandStatePhilox4_32_10 : cpu_device::RandomState {
  uint4 counter, output;
  uint2 key;
  unsigned int used;  // of the four numbers in `output`
};
struct curandStateMRG32k3a : cpu_device::RandomState {
  double s1[3], s2[3];
};
struct curandStateSobol32 {
  unsigned int i, x, c, direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c, direction_vectors[64];
};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
struct curandStateScrambledSobol32 : curandStateSobol32 {};
struct curandStateScrambledSobol64 : curandStateSobol64 {};
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

inline unsigned int curand(curandStateXORWOW* state) {
  const unsigned int t = state->v[0] ^ (state->v[0] >> 2);
  for (int i = 0; i < 4; i++) state->v[i] = state->v[i + 1];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}
inline unsigned int curand(curandStatePhilox4_32_10* state) {
  if (state->used == 4) {
    if (++state->counter.x == 0 && ++state->counter.y == 0 && ++state->counter.z == 0)
      ++state->counter.w;
    state->output = cpu_device::philox(state->counter, state->key);
    state->used = 0;
  }
  const unsigned int all[] = {state->output.x, state->output.y, state->output.z, state->output.w};
  return all[state->used++];
}
inline unsigned int curand(curandStateMRG32k3a* state) {
  constexpr double m1 = 4294967087.0, m2 = 4294944443.0;
  double p = fmod(1403580.0 * state->s1[1] - 810728.0 * state->s1[0], m1);
  if (p < 0) p += m1;
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = p;
  double q = fmod(527612.0 * state->s2[2] - 1370589.0 * state->s2[0], m2);
  if (q < 0) q += m2;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = q;
  const double difference = p > q ? p - q : p - q + m1;  // 1 to m1
  return static_cast<unsigned int>((difference - 1) * (4294967296.0 / m1));
}

template <typename State>
inline void skipahead(unsigned long long count, State* state) {
  while (count-- > 0) curand(state);
}
inline void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
  const unsigned long long to = state->used + count, blocks = to / 4;
  const unsigned long long low = state->counter.x | static_cast<unsigned long long>(state->counter.y) << 32;
  if (low + blocks < low && ++state->counter.z == 0) ++state->counter.w;
  state->counter.x = static_cast<unsigned int>(low + blocks);
  state->counter.y = static_cast<unsigned int>((low + blocks) >> 32);
  state->output = cpu_device::philox(state->counter, state->key);
  state->used = static_cast<unsigned int>(to % 4);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStateXORWOW* state) {
  *state = {};
  uint64_t stream = cpu_device::mixed(seed) ^ cpu_device::mixed(~sequence);
  for (unsigned int& v : state->v) v = static_cast<unsigned int>((stream = cpu_device::mixed(stream)) >> 32) | 1;
  state->d = static_cast<unsigned int>(stream);
  skipahead(offset, state);
}
inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStatePhilox4_32_10* state) {
  *state = {};
  state->key = {static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  state->counter = {0, 0, static_cast<unsigned int>(sequence), static_cast<unsigned int>(sequence >> 32)};
  skipahead(offset, state);
}
inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, curandStateMRG32k3a* state) {
  *state = {};
  uint64_t stream = cpu_device::mixed(seed) ^ cpu_device::mixed(~sequence);
  for (int i = 0; i < 3; i++) {
    state->s1[i] = 1 + static_cast<double>((stream = cpu_device::mixed(stream)) % 4294967086u);
    state->s2[i] = 1 + static_cast<double>((stream = cpu_device::mixed(stream)) % 4294944442u);
  }
  skipahead(offset, state);
}

// ---- quasirandom sequences ----
namespace cpu_device {
// What comes next differs in the bits of one direction: that of the lowest 0 of the place.
template <typename State>
inline auto next_of_sobol(State* state) {
  const auto result = state->x;
  state->x ^= state->direction_vectors[__builtin_ctzll(~static_cast<unsigned long long>(state->i))];
  state->i++;
  return result;
}
template <typename State>
inline void skip_in_sobol(unsigned long long count, State* state) {
  state->i += count;
  state->x = state->c;
  const auto gray = state->i ^ (state->i >> 1);
  for (unsigned int bit = 0; bit < 8 * sizeof gray; bit++)
    if ((gray >> bit & 1) != 0) state->x ^= state->direction_vectors[bit];
}
template <typename State, typename Number>
inline void begin_sobol(const Number* directions, Number scramble, unsigned long long offset, State* state) {
  for (unsigned int bit = 0; bit < 8 * sizeof(Number); bit++) state->direction_vectors[bit] = directions[bit];
  state->i = 0;
  state->c = scramble;
  skip_in_sobol(offset, state);
}
}  // namespace cpu_device
inline unsigned int curand(curandStateSobol32* state) { return cpu_device::next_of_sobol(state); }
inline unsigned long long curand(curandStateSobol64* state) { return cpu_device::next_of_sobol(state); }
inline void skipahead(unsigned long long count, curandStateSobol32* state) {
  cpu_device::skip_in_sobol(count, state);
}
inline void skipahead(unsigned long long count, curandStateSobol64* state) {
  cpu_device::skip_in_sobol(count, state);
}
inline void curand_init(const unsigned int* directions, unsigned int offset, curandStateSobol32* state) {
  cpu_device::begin_sobol(directions, 0u, offset, state);
}
inline void curand_init(const unsigned long long* directions, unsigned long long offset,
                        curandStateSobol64* state) {
  cpu_device::begin_sobol(directions, 0ull, offset, state);
}
inline void curand_init(const unsigned int* directions, unsigned int scramble, unsigned int offset,
                        curandStateScrambledSobol32* state) {
  cpu_device::begin_sobol(directions, scramble, offset, state);
}
inline void curand_init(const unsigned long long* directions, unsigned long long scramble,
                        unsigned long long offset, curandStateScrambledSobol64* state) {
  cpu_device::begin_sobol(directions, scramble, offset, state);
}
// One number of the sequence makes one of the result, so that its evenness is kept.
inline float curand_uniform(curandStateSobol32* state) { return cpu_device::to_uniform(curand(state)); }
inline double curand_uniform_double(curandStateSobol32* state) {
  return cpu_device::to_uniform_double(curand(state));
}
inline float curand_uniform(curandStateSobol64* state) {
  return cpu_device::to_uniform(static_cast<uint32_t>(curand(state) >> 32));
}
inline double curand_uniform_double(curandStateSobol64* state) {
  return cpu_device::to_uniform_double(static_cast<uint64_t>(curand(state)));
}
#ifdef __CUDACC__  // where normcdfinv() is
inline float curand_normal(curandStateSobol32* state) {
  return static_cast<float>(normcdfinv(cpu_device::to_uniform(curand(state))));
}
inline double curand_normal_double(curandStateSobol32* state) {
  return normcdfinv(curand_uniform_double(state));
}
inline float curand_normal(curandStateSobol64* state) {
  return static_cast<float>(normcdfinv(curand_uniform(state)));
}
inline double curand_normal_double(curandStateSobol64* state) {
  return normcdfinv(curand_uniform_double(state));
}
template <typename State, cpu_device::IfQuasirandom<State> = 0>
inline float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <typename State, cpu_device::IfQuasirandom<State> = 0>
inline double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
#endif

// ---- distributions ----
namespace cpu_device {
// Of the next two numbers.
template <typename State>
inline double next_uniform_double(State* state) {
  const unsigned int x = curand(state);
  return to_uniform_double(x, curand(state));
}
}  // namespace cpu_device
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline float curand_uniform(State* state) {
  return cpu_device::to_uniform(curand(state));
}
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline double curand_uniform_double(State* state) {
  // Philox makes a double of one number here, and of two in the functions that give several doubles: as cuRAND has it.
  if constexpr (std::is_same_v<State, curandStatePhilox4_32_10>)
    return cpu_device::to_uniform_double(curand(state));
  else
    return cpu_device::next_uniform_double(state);
}
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline float2 curand_normal2(State* state) {
  const float u = curand_uniform(state);
  return cpu_device::to_normal(u, curand_uniform(state));
}
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline double2 curand_normal2_double(State* state) {
  const double u = cpu_device::next_uniform_double(state);
  return cpu_device::to_normal_double(u, cpu_device::next_uniform_double(state));
}
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 n = curand_normal2(state);
  return {expf(mean + deviation * n.x), expf(mean + deviation * n.y)};
}
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 n = curand_normal2_double(state);
  return {exp(mean + deviation * n.x), exp(mean + deviation * n.y)};
}
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline float curand_normal(State* state) {
  return cpu_device::next_of_pair(cpu_device::Kept::normal, &state->kind, &state->kept,
                                  [state] { return curand_normal2(state); });
}
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline double curand_normal_double(State* state) {
  return cpu_device::next_of_pair(cpu_device::Kept::normal, &state->kind_double, &state->kept_double,
                                  [state] { return curand_normal2_double(state); });
}
// The second number has the mean and the deviation of the first call.
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline float curand_log_normal(State* state, float mean, float deviation) {
  return cpu_device::next_of_pair(cpu_device::Kept::log_normal, &state->kind, &state->kept,
                                  [=] { return curand_log_normal2(state, mean, deviation); });
}
template <typename State, cpu_device::IfPseudorandom<State> = 0>
inline double curand_log_normal_double(State* state, double mean, double deviation) {
  return cpu_device::next_of_pair(cpu_device::Kept::log_normal, &state->kind_double, &state->kept_double,
                                  [=] { return curand_log_normal2_double(state, mean, deviation); });
}
template <typename State>
inline unsigned int curand_poisson(State* state, double mean) {
  return cpu_device::to_poisson(mean, [state] { return curand_uniform_double(state); });
}

// ---- four at a time ----
inline uint4 curand4(curandStatePhilox4_32_10* state) {
  const unsigned int x = curand(state), y = curand(state), z = curand(state);
  return {x, y, z, curand(state)};
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 all = curand4(state);
  return {cpu_device::to_uniform(all.x), cpu_device::to_uniform(all.y), cpu_device::to_uniform(all.z),
          cpu_device::to_uniform(all.w)};
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const float4 u = curand_uniform4(state);
  const float2 a = cpu_device::to_normal(u.x, u.y), b = cpu_device::to_normal(u.z, u.w);
  return {a.x, a.y, b.x, b.y};
}
inline uint4 curand_poisson4(curandStatePhilox4_32_10* state, double mean) {
  const unsigned int x = curand_poisson(state, mean), y = curand_poisson(state, mean),
                     z = curand_poisson(state, mean);
  return {x, y, z, curand_poisson(state, mean)};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
  const float4 n = curand_normal4(state);
  return {expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z),
          expf(mean + deviation * n.w)};
}

// ---- two at a time ----
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const double x = cpu_device::next_uniform_double(state);
  return {x, cpu_device::next_uniform_double(state)};
}
