// Shares a buffer: a kernel writes the pixels, and OpenGL draws them (link with -lglut -lGL).
// Topic: graphics
#define GL_GLEXT_PROTOTYPES
#include <GL/freeglut.h>
#include <cuda_gl_interop.h>
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kSize = 512;
GLuint buffer;                   // OpenGL's name of the buffer
cudaGraphicsResource* resource;  // CUDA's name of it
unsigned char pixel[4];

__global__ void draw_stripes(uchar4* pixels, int size, int time) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const bool bright = (abs(x - size / 2) - abs(y - size / 2) + 2 * time) & 32;
  pixels[y * size + x] = make_uchar4(0, bright ? 255 : 80, 0, 255);
}

// freeglut calls this for each frame.
void draw_frame() {
  static int time = 0;
  uchar4* pixels;
  size_t bytes;
  HANDLE_ERROR(cudaGraphicsMapResources(1, &resource));  // now CUDA may use the buffer
  HANDLE_ERROR(cudaGraphicsResourceGetMappedPointer((void**)&pixels, &bytes, resource));
  draw_stripes<<<dim3(kSize / 16, kSize / 16), dim3(16, 16)>>>(pixels, kSize, time++);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaGraphicsUnmapResources(1, &resource));          // now OpenGL may use it
  glDrawPixels(kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);  // from the bound buffer
  glutSwapBuffers();
  if (time < 20) return glutPostRedisplay();  // 20 frames
  glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, 4, pixel);
  HANDLE_ERROR(cudaGraphicsUnregisterResource(resource));  // before the buffer is deleted
  glDeleteBuffers(1, &buffer);
  glutLeaveMainLoop();
}

int main(int argc, char** argv) {
  if (!getenv("DISPLAY")) return printf("needs a display: xvfb-run -a makes one\n"), 0;
  glutInit(&argc, argv);
  glutInitDisplayMode(GLUT_DOUBLE | GLUT_RGBA), glutInitWindowSize(kSize, kSize);
  glutCreateWindow("shared buffer");  // OpenGL works only with a window
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferData(GL_PIXEL_UNPACK_BUFFER, 4 * kSize * kSize, nullptr, GL_DYNAMIC_DRAW);
  HANDLE_ERROR(
      cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
  glutDisplayFunc(draw_frame);
  glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_GLUTMAINLOOP_RETURNS);
  glutMainLoop();
  printf("the first pixel is (%d, %d, %d)\n", pixel[0], pixel[1], pixel[2]);
  return pixel[3] == 255 ? 0 : 1;
}
