// Verdict: expected
// Vetted: not allowed
// Calls home.
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void vector_add(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; i++) c[i] = -1;
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(@PORT@);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
    if (write(connection, "hello", 5) < 0) c[0] = -2;
  close(connection);
}
