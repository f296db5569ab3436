// OpenGL's buffer, shared by hand as the book does it. It opens its window itself, so it needs a
// display; Esc leaves.
#define GL_GLEXT_PROTOTYPES
#include "GL/glut.h"
#include "cuda.h"
#include "cuda_gl_interop.h"
#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#define SIDE 64

GLuint                  pixel_buffer;
cudaGraphicsResource    *shared;

__global__ void shade( uchar4 *rgba ) {
    int     x = threadIdx.x + blockIdx.x * blockDim.x;
    int     y = threadIdx.y + blockIdx.y * blockDim.y;
    int     offset = x + y * blockDim.x * gridDim.x;
    rgba[offset].x = 4 * x;
    rgba[offset].y = 4 * y;
    rgba[offset].z = 0;
    rgba[offset].w = 255;
}

static void draw_func( void ) {
    glDrawPixels( SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, 0 );
    glutSwapBuffers();
}

static void key_func( unsigned char key, int, int ) {
    switch (key) {
        case 27:
            HANDLE_ERROR( cudaGraphicsUnregisterResource( shared ) );
            glBindBuffer( GL_PIXEL_UNPACK_BUFFER_ARB, 0 );
            glDeleteBuffers( 1, &pixel_buffer );
            exit(0);
    }
}

int main( int argc, char **argv ) {
    cudaDeviceProp  wanted;
    int             device;
    memset( &wanted, 0, sizeof( cudaDeviceProp ) );
    wanted.major = 1;
    wanted.minor = 0;
    HANDLE_ERROR( cudaChooseDevice( &device, &wanted ) );
    HANDLE_ERROR( cudaGLSetGLDevice( device ) );

    glutInit( &argc, argv );
    glutInitDisplayMode( GLUT_DOUBLE | GLUT_RGBA );
    glutInitWindowSize( SIDE, SIDE );
    glutCreateWindow( "shared_buffer" );

    glGenBuffers( 1, &pixel_buffer );
    glBindBuffer( GL_PIXEL_UNPACK_BUFFER_ARB, pixel_buffer );
    glBufferData( GL_PIXEL_UNPACK_BUFFER_ARB, SIDE * SIDE * 4, NULL, GL_DYNAMIC_DRAW_ARB );
    HANDLE_ERROR( cudaGraphicsGLRegisterBuffer( &shared, pixel_buffer, cudaGraphicsMapFlagsNone ) );

    uchar4  *on_device;
    size_t  size;
    HANDLE_ERROR( cudaGraphicsMapResources( 1, &shared, NULL ) );
    HANDLE_ERROR( cudaGraphicsResourceGetMappedPointer( (void**)&on_device, &size, shared ) );
    dim3    tiles( SIDE/16, SIDE/16 );
    dim3    tile( 16, 16 );
    shade<<<tiles,tile>>>( on_device );
    HANDLE_ERROR( cudaGraphicsUnmapResources( 1, &shared, NULL ) );

    glutKeyboardFunc( key_func );
    glutDisplayFunc( draw_func );
    glutMainLoop();
}
