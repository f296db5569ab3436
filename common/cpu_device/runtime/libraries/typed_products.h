// Products of real matrices whose elements have a type that is known only at run time: what cuBLAS's functions with
// "Ex" in their names and cuBLASLt share. Sums are made by OpenBLAS, in float, or in double where that is more exact.
#pragma once

#include <cstddef>
#include <vector>

#include "../../include/library_types.h"

namespace cpu_device {

// 0 for types that are not here.
size_t bytes_of(cudaDataType type);
double number_at(cudaDataType type, const void* data, size_t i);
// Rounded to nearest even; integers and 8-bit floats stop at their largest values.
void put_number(cudaDataType type, void* data, size_t i, double value);

struct TypedMatrix {
  cudaDataType type;
  void* data;
  size_t rows, columns, pitch;
  bool by_rows = false;  // its rows lie one after the other, not its columns

  size_t at(size_t row, size_t column) const { return by_rows ? row * pitch + column : column * pitch + row; }
};

// op(A), or op(B), column by column without gaps.
std::vector<double> numbers_of(const TypedMatrix& matrix, bool transposed);
// op(A) op(B), m x n, column by column; `exact`: sums in double, which are also right for integers.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, size_t m, size_t n, size_t k,
                            bool exact);

}  // namespace cpu_device
