run
bt
print before
continue
bt
cuda thread 20
info locals
continue
bt
print threadIdx.x
continue
cuda thread 30
bt
continue
kill
