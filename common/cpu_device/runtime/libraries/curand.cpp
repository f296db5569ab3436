// cuRAND on the host. Number i of a generator is made from its seed and i, so arrays may be filled in
// any pieces.
#include "../../include/curand.h"

#include "../../include/cpu_device/random.h"
#include "library.h"

struct curandGenerator_st {
  bool on_host;
  uint64_t seed = 0, position = 0;
  cudaStream_t stream = nullptr;
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
    return to_uniform_double(x, next());
  }

 private:
  uint2 key_;
  uint64_t position_;
  uint32_t four_[4] = {};
  bool filled_ = false;
};

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
  if (generator->on_host) {
    work();
    return CURAND_STATUS_SUCCESS;
  }
  const cudaError_t error = run_in_stream(generator->stream, function,
                                          {{"the array", to, sizeof(T), n, 1, n, false, true}}, false,
                                          site, work);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host, Site site) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (type < CURAND_RNG_PSEUDO_DEFAULT || type >= CURAND_RNG_QUASI_DEFAULT) {
    explain(site, "cuRAND's quasirandom generators are not on the CPU device",
            "there are the pseudorandom ones, such as CURAND_RNG_PSEUDO_DEFAULT");
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st{on_host};
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
  generator->seed = seed;
  generator->position = 0;
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

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* to, size_t n, Site site) {
  return generate(generator, __func__, to, n, 1, site, [](Numbers& numbers, unsigned* array, size_t size) {
    for (size_t i = 0; i < size; i++) array[i] = numbers.next();
  });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* to, size_t n,
                                      Site site) {
  return generate(generator, __func__, to, n, 2, site,
                  [](Numbers& numbers, unsigned long long* array, size_t size) {
                    for (size_t i = 0; i < size; i++) {
                      const uint64_t high = numbers.next();
                      array[i] = high << 32 | numbers.next();
                    }
                  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t n, Site site) {
  return generate(generator, __func__, to, n, 1, site, [](Numbers& numbers, float* array, size_t size) {
    for (size_t i = 0; i < size; i++) array[i] = numbers.uniform();
  });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t n,
                                           Site site) {
  return generate(generator, __func__, to, n, 2, site, [](Numbers& numbers, double* array, size_t size) {
    for (size_t i = 0; i < size; i++) array[i] = numbers.uniform_double();
  });
}

// What to do with a normal number: `logarithmic` means that it is the logarithm of the result.
template <bool logarithmic>
static curandStatus_t normal(curandGenerator_t generator, const char* function, float* to, size_t n,
                             float mean, float deviation, Site site) {
  if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(generator, function, to, n, 1, site, [=](Numbers& numbers, float* array, size_t size) {
    for (size_t i = 0; i < size; i += 2) {
      const float u = numbers.uniform();
      const float2 pair = to_normal(u, numbers.uniform());
      array[i] = mean + deviation * pair.x;
      array[i + 1] = mean + deviation * pair.y;
      if (logarithmic)
        for (size_t j = i; j < i + 2; j++) array[j] = expf(array[j]);
    }
  });
}
template <bool logarithmic>
static curandStatus_t normal(curandGenerator_t generator, const char* function, double* to, size_t n,
                             double mean, double deviation, Site site) {
  if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(generator, function, to, n, 2, site, [=](Numbers& numbers, double* array, size_t size) {
    for (size_t i = 0; i < size; i += 2) {
      const double u = numbers.uniform_double();
      const double2 pair = to_normal_double(u, numbers.uniform_double());
      array[i] = mean + deviation * pair.x;
      array[i + 1] = mean + deviation * pair.y;
      if (logarithmic)
        for (size_t j = i; j < i + 2; j++) array[j] = exp(array[j]);
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
