#include "../common/book.h"

#define N   50000

__global__ void add( int *a, int *b, int *c ) {
    int i = blockIdx.x;    // one block for each element
    if (i < N)
        c[i] = a[i] + b[i];
}

int a[N], b[N], c[N];

int main( void ) {
    int *dev_a, *dev_b, *dev_c;

    HANDLE_ERROR( cudaMalloc( (void**)&dev_a, N * sizeof(int) ) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_b, N * sizeof(int) ) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_c, N * sizeof(int) ) );

    for (int i=0; i<N; i++) {
        a[i] = -i;
        b[i] = 2 * i;
    }
    HANDLE_ERROR( cudaMemcpy( dev_a, a, N * sizeof(int),
                              cudaMemcpyHostToDevice ) );
    HANDLE_ERROR( cudaMemcpy( dev_b, b, N * sizeof(int),
                              cudaMemcpyHostToDevice ) );

    add<<<N,1>>>( dev_a, dev_b, dev_c );

    HANDLE_ERROR( cudaMemcpy( c, dev_c, N * sizeof(int),
                              cudaMemcpyDeviceToHost ) );

    bool right = true;
    for (int i=0; i<N; i++) {
        if (a[i] + b[i] != c[i])
            right = false;
    }
    printf( "%d + %d = %d\n", a[N-1], b[N-1], c[N-1] );
    if (right)  printf( "all right\n" );

    cudaFree( dev_a );
    cudaFree( dev_b );
    cudaFree( dev_c );
    return 0;
}
