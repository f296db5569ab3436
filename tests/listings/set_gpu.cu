#include "../common/book.h"

int main( void ) {
    cudaDeviceProp  wanted;
    int             device;

    HANDLE_ERROR( cudaGetDevice( &device ) );
    printf( "Current device: %d\n", device );

    memset( &wanted, 0, sizeof( cudaDeviceProp ) );
    wanted.major = 1;
    wanted.minor = 3;
    HANDLE_ERROR( cudaChooseDevice( &device, &wanted ) );
    printf( "Closest to 1.3: %d\n", device );

    HANDLE_ERROR( cudaSetDevice( device ) );
}
