#include <algorithm>
#include "book.h"

constexpr int kChunk = 1000;

__global__ void square_root(float *data, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < n)
		data[i] = sqrtf(data[i]);
}

void overlap(const float *in, float *out, int n) {
	cudaStream_t stream0, stream1;
	float *dev0, *dev1;
	HANDLE_ERROR(cudaStreamCreate(&stream0));
	HANDLE_ERROR(cudaStreamCreate(&stream1));
	HANDLE_ERROR(cudaMalloc((void**)&dev0, kChunk * sizeof(float)));
	HANDLE_ERROR(cudaMalloc((void**)&dev1, kChunk * sizeof(float)));
	for (int i = 0; i < n; i += 2 * kChunk) {
		int n0 = std::min(kChunk, n - i);
		int n1 = std::max(0, std::min(kChunk, n - i - kChunk));
		HANDLE_ERROR(cudaMemcpyAsync(dev0, in + i, n0 * sizeof(float), cudaMemcpyHostToDevice, stream0));
		if (n1) HANDLE_ERROR(cudaMemcpyAsync(dev1, in + i + kChunk, n1 * sizeof(float), cudaMemcpyHostToDevice, stream1));
		square_root<<<(n0 + 127) / 128, 128, 0, stream0>>>(dev0, n0);
		if (n1) square_root<<<(n1 + 127) / 128, 128, 0, stream1>>>(dev1, n1);
		HANDLE_ERROR(cudaMemcpyAsync(out + i, dev0, n0 * sizeof(float), cudaMemcpyDeviceToHost, stream0));
		if (n1) HANDLE_ERROR(cudaMemcpyAsync(out + i + kChunk, dev1, n1 * sizeof(float), cudaMemcpyDeviceToHost, stream1));
	}
	HANDLE_ERROR(cudaStreamSynchronize(stream0));
	HANDLE_ERROR(cudaStreamSynchronize(stream1));
	HANDLE_ERROR(cudaFree(dev0));
	HANDLE_ERROR(cudaFree(dev1));
	HANDLE_ERROR(cudaStreamDestroy(stream0));
	HANDLE_ERROR(cudaStreamDestroy(stream1));
}
