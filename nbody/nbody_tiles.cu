// Computes all-pairs gravity with tiles: 16 bodies pull 64 others in one tile of 1024 pairs.
//
// What to look at: in gravity_tiles.h the bodies that pull are a row, and those that are pulled a
// column. Their difference is a tile with one number for each pair. The formula is that of
// attract() in body.h, once for all pairs of the tile. nbody_shared needs shared memory and two
// barriers to reuse what it loads. Here the compiler takes care of it. Tile kernels need CUDA 13.3
// or newer, and nvcc --enable-tile -std=c++20. TILES.md explains the model.
//
//   ./course run nbody_tiles --size 4001

#include "gravity_tiles.h"
#include "program.h"

int main(int argc, char** argv) {
  course::Options options("All-pairs gravity with tiles of pairs.");
  return nbody::run_version(options, argc, argv, [] { return nbody::kTiles; });
}
