"""A debugger that knows CUDA's threads and blocks, as commands for gdb."""
