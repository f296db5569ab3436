// Callbacks whose first parameter is a pointer to the reader's own type, passed with a cast.
#include "../common/book.h"
#include "../common/cpu_anim.h"

#define SIDE 64

struct State {
    unsigned char   *on_device;
    CPUAnimBitmap   *shown;
};

__global__ void rings( unsigned char *rgba, int when ) {
    int     x = blockIdx.x * blockDim.x + threadIdx.x;
    int     y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned char *pixel = rgba + 4 * (y * SIDE + x);
    float   far = sqrt( (float)(x * x + y * y) );
    pixel[0] = (unsigned char)(127.5f + 127.5f * sin( far / 4 - when / 5.0f ));
    pixel[1] = 4 * x;
    pixel[2] = 4 * y;
    pixel[3] = 255;
}

void next( State *state, int when ) {
    dim3    tiles( SIDE/8, SIDE/8 ), tile( 8, 8 );
    rings<<<tiles,tile>>>( state->on_device, when );
    HANDLE_ERROR( cudaMemcpy( state->shown->get_ptr(), state->on_device,
                              state->shown->image_size(), cudaMemcpyDeviceToHost ) );
}

void done( State *state ) {
    cudaFree( state->on_device );
}

void dragged( State *, int, int, int, int ) {}

int main( void ) {
    State   state;
    CPUAnimBitmap  bitmap( SIDE, SIDE, &state );
    state.shown = &bitmap;
    HANDLE_ERROR( cudaMalloc( (void**)&state.on_device, bitmap.image_size() ) );
    bitmap.click_drag( (void (*)(void*,int,int,int,int))dragged );
    bitmap.anim_and_exit( (void (*)(void*,int))next, (void (*)(void*))done );
}
