// A struct with a method in constant memory, events, and a picture.
#include "cuda.h"
#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#define SIDE 96
#define LAMPS 7

struct Lamp {
    float   x, y, power;
    __device__ float at( float px, float py ) {
        float   dx = px - x, dy = py - y;
        return power / (1 + dx * dx + dy * dy);
    }
};

__constant__ Lamp lamps[LAMPS];

__global__ void shine( unsigned char *rgba ) {
    int     x = blockIdx.x * blockDim.x + threadIdx.x;
    int     y = blockIdx.y * blockDim.y + threadIdx.y;
    float   sum = 0;
    for (int k=0; k<LAMPS; k++) sum += lamps[k].at( x, y );
    unsigned char *pixel = rgba + 4 * (y * SIDE + x);
    pixel[0] = pixel[1] = (int)fminf( sum, 255 );
    pixel[2] = 0;
    pixel[3] = 255;
}

int main( void ) {
    cudaEvent_t     begin, end;
    float           took;
    HANDLE_ERROR( cudaEventCreate( &begin ) );
    HANDLE_ERROR( cudaEventCreate( &end ) );
    CPUBitmap       bitmap( SIDE, SIDE );
    unsigned char   *dev_rgba;
    HANDLE_ERROR( cudaMalloc( (void**)&dev_rgba, bitmap.image_size() ) );
    Lamp            *filled = (Lamp*)malloc( LAMPS * sizeof(Lamp) );
    for (int k=0; k<LAMPS; k++) {
        filled[k].x = rand() % SIDE;
        filled[k].y = rand() % SIDE;
        filled[k].power = 20000.0f * rand() / RAND_MAX;
    }
    HANDLE_ERROR( cudaMemcpyToSymbol( lamps, filled, LAMPS * sizeof(Lamp) ) );
    free( filled );
    HANDLE_ERROR( cudaEventRecord( begin, 0 ) );
    shine<<<dim3(SIDE/16,SIDE/16),dim3(16,16)>>>( dev_rgba );
    HANDLE_ERROR( cudaEventRecord( end, 0 ) );
    HANDLE_ERROR( cudaEventSynchronize( end ) );
    HANDLE_ERROR( cudaEventElapsedTime( &took, begin, end ) );
    HANDLE_ERROR( cudaMemcpy( bitmap.get_ptr(), dev_rgba, bitmap.image_size(),
                              cudaMemcpyDeviceToHost ) );
    printf( "the lamps took %s time\n", took > 0 ? "some" : "no" );
    HANDLE_ERROR( cudaEventDestroy( begin ) );
    HANDLE_ERROR( cudaEventDestroy( end ) );
    bitmap.display_and_exit();
    cudaFree( dev_rgba );
}
