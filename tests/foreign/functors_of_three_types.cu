// In the manner of adaptors of older years, which ask functors for the names of their types (Thrust had these bases
// until CUDA 12): each name against the type that was given, for all triples of types.
#include <thrust/functional.h>
#include <thrust/transform.h>
#include <thrust/device_vector.h>

#include <cstdio>
#include <type_traits>

template <typename... Types>
struct List {};
template <typename A, typename B>
constexpr bool same = std::is_same<A, B>::value;

template <typename A, typename B, typename C>
constexpr bool names_are_right() {
  using Two = thrust::binary_function<A, B, C>;
  using One = thrust::unary_function<A, B>;
  return same<typename Two::first_argument_type, A> && same<typename Two::second_argument_type, B> &&
         same<typename Two::result_type, C> && same<typename One::argument_type, A> && same<typename One::result_type, B>;
}
template <typename A, typename B, typename... Types>
constexpr bool for_third(List<Types...>) { return (names_are_right<A, B, Types>() && ...); }
template <typename A, typename... Types>
constexpr bool for_second(List<Types...> all) { return (for_third<A, Types>(all) && ...); }
template <typename... Types>
constexpr bool for_first(List<Types...> all) { return (for_second<Types>(all) && ...); }

// The arguments are converted to what the names say.
template <typename Functor>
struct Swapped {
  Functor functor;
  __host__ __device__ typename Functor::result_type operator()(typename Functor::second_argument_type b,
                                                               typename Functor::first_argument_type a) const {
    return functor(a, b);
  }
};
struct Weighted : thrust::binary_function<signed char, float, double> {
  __host__ __device__ double operator()(signed char a, float b) const { return a + b; }
};

int main() {
  const bool right = for_first(List<signed char, const int &, float, double *, void>());
  thrust::device_vector<float> numbers(1, 300.5f);
  thrust::device_vector<signed char> small(1, 3);
  thrust::device_vector<double> sums(1);
  thrust::transform(numbers.begin(), numbers.end(), small.begin(), sums.begin(), Swapped<Weighted>());
  printf("names: %s, sum: %g\n", right ? "right" : "wrong", double(sums[0]));
  return right && sums[0] == 303.5 ? 0 : 1;
}
