// cuRAND on the host. Number i of a generator is made from its seed and i, so arrays may be filled in
// any pieces.
#include "../../include/cpu_device/random.h"
#include "../../include/cpu_device/sobol.h"
#include "../../include/curand.h"
#include "../faults/error_messages.h"
#include "library.h"


double erfcinv(double y);  // intrinsics.cpp

struct curandGenerator_st {
  bool on_host;
  uint64_t seed = 0, position = 0;
  cudaStream_t stream = nullptr;
  bool draws_four = false;  // at once, so that normal numbers need not come in pairs
  // Of a quasirandom generator.
  bool is_quasi = false, is_scrambled = false, has_64_bits = false;
  unsigned dimensions = 1;
};

using namespace cpu_device;

namespace {

// A part of a generator's numbers that is read one after the other.
class Numbers {
 public:
  Numbers(uint64_t seed, uint64_t position)
      : key_{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)}, position_(position) {}
  uint32_t next() {
    if (position_ % 4 == 0 || !filled_) {
      const uint64_t block = position_ / 4;
      const uint4 all =
          philox({static_cast<unsigned>(block), static_cast<unsigned>(block >> 32), 0, 0}, key_);
      four_[0] = all.x;
      four_[1] = all.y;
      four_[2] = all.z;
      four_[3] = all.w;
      filled_ = true;
    }
    return four_[position_++ % 4];
  }
  float uniform() { return to_uniform(next()); }
  double uniform_double() {
    const uint32_t x = next();
    return to_uniform_double(uint64_t(x) << 32 | next());
  }

 private:
  uint2 key_;
  uint64_t position_;
  uint32_t four_[4] = {};
  bool filled_ = false;
};

uint64_t scramble_constant(unsigned dimension) { return mixed(~uint64_t(dimension)); }

// Fills the array at once for a generator of the host's, else in the generator's stream.
template <typename T, typename Work>
curandStatus_t run_where_asked(curandGenerator_t generator, const char* function, T* to, size_t n,
                               Site site, const Work& work) {
  if (generator->on_host) {
    work();
    return CURAND_STATUS_SUCCESS;
  }
  const cudaError_t error = run_in_stream(generator->stream, function,
                                          {{"the array", to, sizeof(T), n, 1, n, false, true}}, false,
                                          site, work);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

// The numbers of a quasirandom generator, of 64 bits, through `convert`: n / dimensions of the first
// dimension, then as many of the second ...
template <typename T, typename Convert>
curandStatus_t generate_quasi(curandGenerator_t generator, const char* function, T* to, size_t n,
                              Site site, Convert convert) {
  const unsigned dimensions = generator->dimensions;
  if (n % dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const size_t length = n / dimensions;
  const uint64_t first = generator->position;
  const bool scrambled = generator->is_scrambled;
  generator->position += length;
  const std::vector<uint64_t> directions = sobol_directions(dimensions);
  const auto work = [=] {
    for (unsigned d = 0; d < dimensions; d++) {
      const uint64_t scramble = scrambled ? scramble_constant(d) : 0;
      for (size_t i = 0; i < length; i++)
        to[d * length + i] = static_cast<T>(convert(scramble ^ sobol_number(&directions[64 * d], first + i)));
    }
  };
  return run_where_asked(generator, function, to, n, site, work);
}
double normal_quantile(double p) { return -M_SQRT2 * erfcinv(2 * p); }
double uniform_of(uint64_t number) {
  return to_uniform_double(number);
}
float float_of(uint64_t number) { return to_uniform(static_cast<uint32_t>(number >> 32)); }

// Fills the array with fill(numbers, to, n); each element uses up `draws` numbers of the generator.
template <typename T, typename Fill>
curandStatus_t generate(curandGenerator_t generator, const char* function, T* to, size_t n,
                        uint64_t draws, Site site, Fill fill) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const Numbers numbers(generator->seed, generator->position);
  generator->position += draws * n;
  const auto work = [=] {
    Numbers own = numbers;
    fill(own, to, n);
  };
  return run_where_asked(generator, function, to, n, site, work);
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host, Site site) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (type < CURAND_RNG_PSEUDO_DEFAULT || type > CURAND_RNG_QUASI_SCRAMBLED_SOBOL64) {
    explain(site, format("generator %d of cuRAND does not exist", static_cast<int>(type)),
            "use, for example, CURAND_RNG_PSEUDO_DEFAULT.");
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st{on_host};
  (*generator)->draws_four = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
  (*generator)->is_quasi = type >= CURAND_RNG_QUASI_DEFAULT;
  (*generator)->is_scrambled = type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 ||
                               type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  (*generator)->has_64_bits = type >= CURAND_RNG_QUASI_SOBOL64;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type, Site site) {
  return create(generator, type, false, site);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type,
                                         Site site) {
  return create(generator, type, true, site);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_quasi) return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;  // The position stays, as on a GPU: curandSetGeneratorOffset() goes back to the beginning.
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->position = offset;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->is_quasi) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > kSobolDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}

template <typename T>
static curandStatus_t direction_vectors(T (**vectors)[8 * sizeof(T)]) {
  constexpr unsigned bits = 8 * sizeof(T);
  static const auto& all = *new std::vector<T>([] {
    const std::vector<uint64_t>& directions = sobol_directions(kSobolDimensions);
    std::vector<T> result;
    for (size_t d = 0; d < kSobolDimensions; d++)
      for (unsigned bit = 0; bit < bits; bit++)
        result.push_back(static_cast<T>(directions[64 * d + bit] >> (64 - bits)));
    return result;
  }());
  *vectors = reinterpret_cast<T(*)[bits]>(const_cast<T*>(all.data()));
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  return direction_vectors<unsigned int>(vectors);
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  return direction_vectors<unsigned long long>(vectors);
}

template <typename T>
static curandStatus_t scramble_constants(T** constants) {
  static auto& all = *new std::vector<T>;
  for (unsigned d = static_cast<unsigned>(all.size()); d < kSobolDimensions; d++)
    all.push_back(static_cast<T>(scramble_constant(d) >> (64 - 8 * sizeof(T))));
  *constants = all.data();
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  return scramble_constants(constants);
}
curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  return scramble_constants(constants);
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* to, size_t n, Site site) {
  if (generator != nullptr && generator->is_quasi)
    return generator->has_64_bits
               ? CURAND_STATUS_TYPE_ERROR
               : generate_quasi(generator, __func__, to, n, site, [](uint64_t x) { return x >> 32; });
  return generate(generator, __func__, to, n, 1, site, [](Numbers& numbers, unsigned* array, size_t size) {
    for (size_t i = 0; i < size; i++) array[i] = numbers.next();
  });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* to, size_t n,
                                      Site site) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->has_64_bits) return CURAND_STATUS_TYPE_ERROR;
  return generate_quasi(generator, __func__, to, n, site, [](uint64_t x) { return x; });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t n, Site site) {
  if (generator != nullptr && generator->is_quasi)
    return generate_quasi(generator, __func__, to, n, site, float_of);
  return generate(generator, __func__, to, n, 1, site, [](Numbers& numbers, float* array, size_t size) {
    for (size_t i = 0; i < size; i++) array[i] = numbers.uniform();
  });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t n,
                                           Site site) {
  if (generator != nullptr && generator->is_quasi)
    return generate_quasi(generator, __func__, to, n, site, uniform_of);
  return generate(generator, __func__, to, n, 2, site, [](Numbers& numbers, double* array, size_t size) {
    for (size_t i = 0; i < size; i++) array[i] = numbers.uniform_double();
  });
}

// Normal numbers are made in pairs.
static bool lacks_a_pair(curandGenerator_t generator, size_t n) {
  return generator != nullptr && n % 2 != 0 && !generator->draws_four;
}

// What to do with a normal number: `logarithmic` means that it is the logarithm of the result.
template <bool logarithmic>
static curandStatus_t normal(curandGenerator_t generator, const char* function, float* to, size_t n,
                             float mean, float deviation, Site site) {
  if (generator != nullptr && generator->is_quasi)
    return generate_quasi(generator, function, to, n, site, [=](uint64_t x) {
      const float result = mean + deviation * static_cast<float>(normal_quantile(float_of(x)));
      return logarithmic ? expf(result) : result;
    });
  if (lacks_a_pair(generator, n)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(generator, function, to, n, 1, site, [=](Numbers& numbers, float* array, size_t size) {
    for (size_t i = 0; i < size; i += 2) {
      const float u = numbers.uniform();
      const float2 pair = to_normal(u, numbers.uniform());
      array[i] = mean + deviation * pair.x;
      if (i + 1 < size) array[i + 1] = mean + deviation * pair.y;
      if (logarithmic)
        for (size_t j = i; j < i + 2 && j < size; j++) array[j] = expf(array[j]);
    }
  });
}
template <bool logarithmic>
static curandStatus_t normal(curandGenerator_t generator, const char* function, double* to, size_t n,
                             double mean, double deviation, Site site) {
  if (generator != nullptr && generator->is_quasi)
    return generate_quasi(generator, function, to, n, site, [=](uint64_t x) {
      const double result = mean + deviation * normal_quantile(uniform_of(x));
      return logarithmic ? exp(result) : result;
    });
  if (lacks_a_pair(generator, n)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(generator, function, to, n, 2, site, [=](Numbers& numbers, double* array, size_t size) {
    for (size_t i = 0; i < size; i += 2) {
      const double u = numbers.uniform_double();
      const double2 pair = to_normal_double(u, numbers.uniform_double());
      array[i] = mean + deviation * pair.x;
      if (i + 1 < size) array[i + 1] = mean + deviation * pair.y;
      if (logarithmic)
        for (size_t j = i; j < i + 2 && j < size; j++) array[j] = exp(array[j]);
    }
  });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t n, float mean,
                                    float deviation, Site site) {
  return normal<false>(generator, __func__, to, n, mean, deviation, site);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t n,
                                          double mean, double deviation, Site site) {
  return normal<false>(generator, __func__, to, n, mean, deviation, site);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t n, float mean,
                                       float deviation, Site site) {
  return normal<true>(generator, __func__, to, n, mean, deviation, site);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, size_t n,
                                             double mean, double deviation, Site site) {
  return normal<true>(generator, __func__, to, n, mean, deviation, site);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* to, size_t n,
                                     double mean, Site site) {
  if (!(mean > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  if (generator != nullptr && generator->is_quasi) {
    explain(site, "the CPU device does not support Poisson numbers from a quasirandom generator");
    return CURAND_STATUS_TYPE_ERROR;
  }
  // How many numbers each takes is not known: each has a part of its own, far from the others.
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const uint64_t seed = mixed(generator->seed), first = generator->position;
  return generate(generator, __func__, to, n, 1, site, [=](Numbers&, unsigned* array, size_t size) {
    for (size_t i = 0; i < size; i++) {
      Numbers own(seed, (first + i) << 16);
      array[i] = to_poisson(mean, [&own] { return own.uniform_double(); });
    }
  });
}
