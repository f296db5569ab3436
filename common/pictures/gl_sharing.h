// OpenGL's side of a buffer that CUDA and OpenGL share: whether the two can, in the window that is
// open. Include it before other headers that include OpenGL's, if you can: GLEW must come first.
#pragma once

#if !__has_include(<GL/freeglut.h>)
#error "windows need freeglut: install freeglut3-dev (Debian, Ubuntu) or freeglut-devel"
#endif
#ifndef __gl_h_  // else GLEW comes too late, and the functions are those of libGL itself
#if !__has_include(<GL/glew.h>)
#error "buffers of OpenGL need GLEW: install libglew-dev (Debian, Ubuntu) or glew-devel"
#endif
#include <GL/glew.h>
#endif

#include <GL/freeglut.h>
#include <cuda_gl_interop.h>
#include <stdio.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../handle_error.h"
#include "window.h"

#ifndef __GLEW_H__
extern "C" {
void glGenBuffers(GLsizei, GLuint*);
void glDeleteBuffers(GLsizei, const GLuint*);
void glBindBuffer(GLenum, GLuint);
void glBufferData(GLenum, GLsizeiptr, const void*, GLenum);
void glBufferSubData(GLenum, GLintptr, GLsizeiptr, const void*);
void glGetBufferSubData(GLenum, GLintptr, GLsizeiptr, void*);
}
#endif

namespace course {

// Makes OpenGL's buffers ready for use. Returns why it has none that pixels can be drawn from, in
// words, or "" if it has. A window must be open.
inline std::string start_gl_buffers() {
#ifdef __GLEW_H__
  const GLenum problem = glewInit();
  if (problem != GLEW_OK)
    return std::string("GLEW does not start: ") +
           reinterpret_cast<const char*>(glewGetErrorString(problem));
#endif
  const char* const version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
  int major = 0, minor = 0;
  if (version == nullptr || sscanf(version, "%d.%d", &major, &minor) != 2)
    return "this OpenGL does not report its version";
  if (major * 10 + minor < 21)
    return "OpenGL " + std::to_string(major) + "." + std::to_string(minor) +
           " is older than 2.1, and has no buffers for pixels";
  return "";
}

// Makes the CUDA device that draws the window the current one, and says so if it was another.
// Returns why CUDA cannot share buffers with this window's OpenGL, in words, or "" if it can.
inline std::string choose_gl_device() {
  unsigned int count = 0;
  int devices[16] = {}, current = 0;
  HANDLE_ERROR(cudaGetDevice(&current));
  const cudaError_t error = cudaGLGetDevices(&count, devices, 16, cudaGLDeviceListAll);
  if (error != cudaSuccess || count == 0) {
    cudaGetLastError();  // forgotten: the program goes on without sharing
    return std::string("OpenGL is drawn by ") +
           reinterpret_cast<const char*>(glGetString(GL_RENDERER)) +
           ", which is not a CUDA device (" +
           cudaGetErrorName(error == cudaSuccess ? cudaErrorNoDevice : error) + ")";
  }
  if (std::find(devices, devices + std::min(count, 16u), current) ==
      devices + std::min(count, 16u)) {
    HANDLE_ERROR(cudaSetDevice(devices[0]));
    fprintf(stderr, "%s: CUDA uses device %d instead of %d, because it draws the window\n",
            program_invocation_short_name, devices[0], current);
  }
  return "";
}

// Creates a buffer of OpenGL's for `bytes` of pixels, all 0, and leaves it bound to
// GL_PIXEL_UNPACK_BUFFER: what glDrawPixels reads from. 0 if there is no memory for it.
inline GLuint create_gl_buffer(size_t bytes) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  while (glGetError() != GL_NO_ERROR) continue;
  const std::vector<unsigned char> zeros(bytes);
  glBufferData(GL_PIXEL_UNPACK_BUFFER, static_cast<GLsizeiptr>(bytes), zeros.data(),
               GL_DYNAMIC_DRAW);
  if (glGetError() == GL_NO_ERROR) return buffer;
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glDeleteBuffers(1, &buffer);
  return 0;
}

}  // namespace course
