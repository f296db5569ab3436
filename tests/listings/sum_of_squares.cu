#include "../common/book.h"

#define smaller( a, b ) ( (a) < (b) ? (a) : (b) )

const int count = 5000;
const int width = 128;
const int groups = smaller( 16, (count + width - 1) / width );

__global__ void squares( float *v, float *out ) {
    __shared__ float room[width];
    int     me = threadIdx.x;
    float   mine = 0;
    for (int k = blockIdx.x * blockDim.x + me; k < count; k += gridDim.x * blockDim.x)
        mine += v[k] * v[k];
    room[me] = mine;
    __syncthreads();
    for (int step = blockDim.x >> 1; step > 0; step >>= 1) {
        if (me < step)
            room[me] += room[me + step];
        __syncthreads();
    }
    if (me == 0)
        out[blockIdx.x] = room[0];
}

int main( void ) {
    float   *v = (float*)malloc( count * sizeof(float) );
    float   parts[groups], *dev_v, *dev_parts, total = 0;
    for (int k=0; k<count; k++) v[k] = k % 3;
    HANDLE_NULL( v );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_v, count * sizeof(float) ) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_parts, sizeof(parts) ) );
    HANDLE_ERROR( cudaMemcpy( dev_v, v, count * sizeof(float), cudaMemcpyHostToDevice ) );
    squares<<<groups,width>>>( dev_v, dev_parts );
    HANDLE_ERROR( cudaMemcpy( parts, dev_parts, sizeof(parts), cudaMemcpyDeviceToHost ) );
    for (int k=0; k<groups; k++) total += parts[k];
    printf( "the sum is %.6g\n", total );
    cudaFree( dev_v );
    cudaFree( dev_parts );
    free( v );
    return 0;
}
