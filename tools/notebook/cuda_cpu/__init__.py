"""CUDA C++ without a GPU, in notebooks: %load_ext cuda_cpu, then %%cuda at the top of a cell."""


def load_ipython_extension(ipython):
    from .magic import register  # not without IPython
    register(ipython)
