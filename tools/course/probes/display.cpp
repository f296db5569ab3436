// Whether windows can be drawn: prints "version<TAB>renderer" of OpenGL. Exit 3: no display, 4: no OpenGL.
#include <GL/gl.h>
#include <GL/glx.h>
#include <stdio.h>

int main() {
  Display* display = XOpenDisplay(nullptr);
  if (!display) return 3;
  int wanted[] = {GLX_RGBA, GLX_DOUBLEBUFFER, 0};
  XVisualInfo* visual = glXChooseVisual(display, DefaultScreen(display), wanted);
  if (!visual) return 4;
  GLXContext context = glXCreateContext(display, visual, nullptr, True);
  XSetWindowAttributes attributes = {};
  Window root = RootWindow(display, visual->screen);
  attributes.colormap = XCreateColormap(display, root, visual->visual, AllocNone);
  Window window = XCreateWindow(display, root, 0, 0, 1, 1, 0, visual->depth, InputOutput,
                                visual->visual, CWColormap, &attributes);
  if (!context || !glXMakeCurrent(display, window, context)) return 4;
  printf("%s\t%s\n", glGetString(GL_VERSION), glGetString(GL_RENDERER));
}
