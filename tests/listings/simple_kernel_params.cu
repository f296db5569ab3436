#include "../common/book.h"

__global__ void add( int first, int second, int *result ) {
    *result = first + second;
}

int main( void ) {
    int     sum;
    int     *dev_sum;
    HANDLE_ERROR( cudaMalloc( (void**)&dev_sum, sizeof(int) ) );

    add<<<1,1>>>( 2, 7, dev_sum );

    HANDLE_ERROR( cudaMemcpy( &sum, dev_sum, sizeof(int),
                              cudaMemcpyDeviceToHost ) );
    printf( "2 + 7 = %d\n", sum );
    HANDLE_ERROR( cudaFree( dev_sum ) );

    return 0;
}
